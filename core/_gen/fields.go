package main

// Field names and members of field values that steer the parse. Words are lower-case here: the parser lowers what it
// compares with them.

// A fieldKind is what the parser must do with the value of a field, or what a list member in it means.
// llhttp shows the number in header_state.
type fieldKind struct {
	Name string // constant field<Name> in package core
	Doc  string
}

// fieldKinds is in order of value, from 0.
var fieldKinds = []fieldKind{
	{"General", "nothing but hand it on"},
	{"Connection", "Connection, Proxy-Connection: RFC 9110, Section 7.6.1"},
	{"ContentLength", "Content-Length: RFC 9110, Section 8.6"},
	{"TransferEncoding", "Transfer-Encoding: RFC 9112, Section 6.1"},
	{"Upgrade", "Upgrade: RFC 9110, Section 7.8"},
	{"ConnectionKeepAlive", "keep-alive in Connection"},
	{"ConnectionClose", "close in Connection"},
	{"ConnectionUpgrade", "upgrade in Connection"},
	{"TransferEncodingChunked", "chunked as the last coding in Transfer-Encoding"},
	{"Host", "Host, with a rule that looks at it: RFC 9110, Section 7.2"},
}

type fieldWord struct {
	Word string
	Kind string // field<Kind>
}

var fieldNames = []fieldWord{
	{"connection", "Connection"},
	{"content-length", "ContentLength"},
	{"proxy-connection", "Connection"},
	{"transfer-encoding", "TransferEncoding"},
	{"upgrade", "Upgrade"},
}

// ruledFieldNames are what rules look for besides.
var ruledFieldNames = []fieldWord{
	{"host", "Host"},
}

var connectionOptions = []fieldWord{
	{"keep-alive", "ConnectionKeepAlive"},
	{"close", "ConnectionClose"},
	{"upgrade", "ConnectionUpgrade"},
}

// fieldKindValue is the number of a kind.
func fieldKindValue(name string) int {
	for i, k := range fieldKinds {
		if k.Name == name {
			return i
		}
	}
	panic("no field kind " + name)
}
