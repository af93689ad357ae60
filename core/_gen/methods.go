package main

import "strings"

// The request methods: RFC 9110, Section 9, and the method registry; RTSP's from RFC 2326, Section 10; SOURCE is
// Icecast's. Numbers and names are those of llhttp_method_t.

// A protocol is one bit: which names in front of "/major.minor" a method may stand with.
type protocol uint8

const (
	protoHTTP protocol = 1 << iota
	protoRTSP
	protoICE
)

type method struct {
	Value     int
	Name      string // as in the constant HTTP_<Name>
	Wire      string // as on the wire
	Protocols protocol
}

// GoName is the method's constant in package core.
func (m method) GoName() string { return "Method" + strings.ReplaceAll(m.Name, "_", "") }

// InHTTPMap says whether the method is in HTTP_METHOD_MAP. PRI is valid with HTTP/ but left out there: it is no request,
// only the first word of the HTTP/2 connection preface (RFC 9113, Section 3.4).
func (m method) InHTTPMap() bool { return m.Protocols&protoHTTP != 0 && m.Name != "PRI" }

// GoProtocols is the set of protocols as an expression of package core.
func (m method) GoProtocols() string {
	var names []string
	for _, p := range []struct {
		bit  protocol
		name string
	}{{protoHTTP, "protocolHTTP"}, {protoRTSP, "protocolRTSP"}, {protoICE, "protocolICE"}} {
		if m.Protocols&p.bit != 0 {
			names = append(names, p.name)
		}
	}
	return strings.Join(names, " | ")
}

// InRTSPMap says whether the method is in RTSP_METHOD_MAP.
func (m method) InRTSPMap() bool { return m.Protocols&protoRTSP != 0 }

// unknownMethod is what the member method shows for a token that is none of these, where any is taken.
const unknownMethod = 255

// methods is in order of value; the method trie keeps this order among siblings.
var methods = []method{
	{0, "DELETE", "DELETE", protoHTTP},
	{1, "GET", "GET", protoHTTP | protoRTSP},
	{2, "HEAD", "HEAD", protoHTTP},
	{3, "POST", "POST", protoHTTP | protoRTSP},
	{4, "PUT", "PUT", protoHTTP},
	{5, "CONNECT", "CONNECT", protoHTTP},
	{6, "OPTIONS", "OPTIONS", protoHTTP | protoRTSP},
	{7, "TRACE", "TRACE", protoHTTP},
	{8, "COPY", "COPY", protoHTTP},
	{9, "LOCK", "LOCK", protoHTTP},
	{10, "MKCOL", "MKCOL", protoHTTP},
	{11, "MOVE", "MOVE", protoHTTP},
	{12, "PROPFIND", "PROPFIND", protoHTTP},
	{13, "PROPPATCH", "PROPPATCH", protoHTTP},
	{14, "SEARCH", "SEARCH", protoHTTP},
	{15, "UNLOCK", "UNLOCK", protoHTTP},
	{16, "BIND", "BIND", protoHTTP},
	{17, "REBIND", "REBIND", protoHTTP},
	{18, "UNBIND", "UNBIND", protoHTTP},
	{19, "ACL", "ACL", protoHTTP},
	{20, "REPORT", "REPORT", protoHTTP},
	{21, "MKACTIVITY", "MKACTIVITY", protoHTTP},
	{22, "CHECKOUT", "CHECKOUT", protoHTTP},
	{23, "MERGE", "MERGE", protoHTTP},
	{24, "MSEARCH", "M-SEARCH", protoHTTP},
	{25, "NOTIFY", "NOTIFY", protoHTTP},
	{26, "SUBSCRIBE", "SUBSCRIBE", protoHTTP},
	{27, "UNSUBSCRIBE", "UNSUBSCRIBE", protoHTTP},
	{28, "PATCH", "PATCH", protoHTTP},
	{29, "PURGE", "PURGE", protoHTTP},
	{30, "MKCALENDAR", "MKCALENDAR", protoHTTP},
	{31, "LINK", "LINK", protoHTTP},
	{32, "UNLINK", "UNLINK", protoHTTP},
	{33, "SOURCE", "SOURCE", protoHTTP | protoICE},
	{34, "PRI", "PRI", protoHTTP},
	{35, "DESCRIBE", "DESCRIBE", protoRTSP},
	{36, "ANNOUNCE", "ANNOUNCE", protoRTSP},
	{37, "SETUP", "SETUP", protoRTSP},
	{38, "PLAY", "PLAY", protoRTSP},
	{39, "PAUSE", "PAUSE", protoRTSP},
	{40, "TEARDOWN", "TEARDOWN", protoRTSP},
	{41, "GET_PARAMETER", "GET_PARAMETER", protoRTSP},
	{42, "SET_PARAMETER", "SET_PARAMETER", protoRTSP},
	{43, "REDIRECT", "REDIRECT", protoRTSP},
	{44, "RECORD", "RECORD", protoRTSP},
	{45, "FLUSH", "FLUSH", protoRTSP},
	{46, "QUERY", "QUERY", protoHTTP},
}
