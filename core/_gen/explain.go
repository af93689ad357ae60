package main

import (
	"fmt"
	"slices"
	"strings"
)

// What is said of errors beyond their names: which rule of the RFCs an input has broken, which lenient flags would let
// it pass, and what the host does about it. The pages of docs/errors and `llhttp-trace --explain` are made of it.
// Every reason and every errno has an entry; tests/trace holds the flags against what the parser does.

type explanation struct {
	Section string   // where the rule stands
	Rule    string   // what it says, as one sentence
	Lenient []string // the smallest set of flags that takes the example of tests/cases/errors.md past this error, if any
}

// explanations has an entry per reason, by its Name.
var explanations = map[string]explanation{
	"ExpectedHostAndPort":                       {"RFC 9112, Section 3.2.3", "The target of CONNECT is a host, ':' and a port, and nothing else.", nil},
	"ExpectedVersion":                           {"RFC 9112, Section 3", "The request-line names its protocol and version; HTTP/0.9 did not.", nil},
	"EmptyHost":                                 {"RFC 9110, Section 7.2", "Host names the host and port of the target; an empty one is for targets that have none.", nil},
	"DuplicateHost":                             {"RFC 9112, Section 3.2", "A request has one Host: with two, recipients may choose different ones.", nil},
	"InvalidWord":                               {"RFC 9112, Section 2.1", "A message begins with a method, or with a protocol name and '/'.", nil},
	"InvalidMethod":                             {"RFC 9112, Section 3.1", "A request begins with a method that the parser knows; methods are case-sensitive.", nil},
	"ExpectedSpaceAfterMethod":                  {"RFC 9112, Section 3", "One SP separates method and request-target.", nil},
	"InvalidCharactersInURL":                    {"RFC 9112, Section 3.2", "A request-target has no white space and no control bytes.", nil},
	"UnexpectedStartCharInURL":                  {"RFC 9112, Section 3.2", "A request-target begins with '/', '*' or the scheme of a URI; with CONNECT it is host and port.", nil},
	"UnexpectedCharInURLSchema":                 {"RFC 3986, Section 3.1", "A scheme is followed by \"://\". The parser takes letters alone for a scheme.", nil},
	"UnexpectedCharInURLServer":                 {"RFC 3986, Section 3.2", "An authority has unreserved characters, sub-delims, ':', '@', '[', ']' and percent-encoded bytes.", nil},
	"DoubleAtInURL":                             {"RFC 3986, Section 3.2", "An authority has one '@' at most, behind the user information.", nil},
	"InvalidCharInURLPath":                      {"RFC 3986, Section 3.3", "A path is of visible ASCII; other bytes are percent-encoded.", nil},
	"InvalidCharInURLQuery":                     {"RFC 3986, Section 3.4", "A query is of visible ASCII; other bytes are percent-encoded.", nil},
	"InvalidCharInURLFragmentStart":             {"RFC 9112, Section 3.2", "A request-target has no fragment. The parser takes one all the same, if it is of visible ASCII.", nil},
	"ExpectedCRLFInURL":                         {"RFC 9112, Section 2.2", "A line ends with CRLF: LF must follow the CR behind a request-target.", nil},
	"ExpectedProtocol":                          {"RFC 9112, Section 2.3", "The request-line names its protocol: HTTP, or RTSP or ICE.", nil},
	"InvalidMethodForHTTP":                      {"RFC 9110, Section 9", "The method is not one of HTTP but of another protocol.", nil},
	"ExpectedSourceMethodForICE":                {"RFC 9112, Section 2.3", "The protocol of Icecast has one method, SOURCE.", nil},
	"InvalidMethodForRTSP":                      {"RFC 2326, Section 10", "The method is not one of RTSP.", nil},
	"InvalidMajorVersion":                       {"RFC 9112, Section 2.3", "A version is a digit, '.', a digit.", nil},
	"ExpectedDot":                               {"RFC 9112, Section 2.3", "A version is a digit, '.', a digit.", nil},
	"InvalidMinorVersion":                       {"RFC 9112, Section 2.3", "A version is a digit, '.', a digit.", nil},
	"InvalidHTTPVersion":                        {"RFC 9112, Section 2.3", "The versions are 0.9, 1.0, 1.1 and 2.0.", []string{"VERSION"}},
	"ExpectedCRLFAfterVersion":                  {"RFC 9112, Section 3", "The request-line ends with CRLF right behind the version.", nil},
	"ExpectedCRLFAfterVersionStrict":            {"RFC 9112, Section 2.2", "A line ends with CRLF: LF must follow the CR behind the version.", []string{"OPTIONAL_LF_AFTER_CR"}},
	"PRIUpgrade":                                {"RFC 9113, Section 3.4", "This is the connection preface of HTTP/2.", nil},
	"ExpectedPreface":                           {"RFC 9113, Section 3.4", "PRI belongs to the connection preface of HTTP/2 and stands in no other message.", nil},
	"ExpectedSpaceAfterVersion":                 {"RFC 9112, Section 4", "One SP separates version and status code.", nil},
	"InvalidStatusCode":                         {"RFC 9112, Section 4", "A status code is three digits.", nil},
	"InvalidResponseStatus":                     {"RFC 9112, Section 4", "SP follows the status code, or the line ends there.", nil},
	"MissingCRAfterResponseLine":                {"RFC 9112, Section 2.2", "A line ends with CRLF, not with LF alone.", []string{"OPTIONAL_CR_BEFORE_LF"}},
	"ExpectedLFAfterCR":                         {"RFC 9112, Section 2.2", "A line ends with CRLF: LF must follow the CR behind a status-line.", []string{"OPTIONAL_LF_AFTER_CR"}},
	"UnexpectedSpaceAfterStartLine":             {"RFC 9112, Section 2.2", "No white space stands between the start-line and the first field line.", []string{"HEADERS"}},
	"InvalidHeaderFieldChar":                    {"RFC 9112, Section 2.2", "A line ends with CRLF, also the empty one behind the fields.", []string{"OPTIONAL_CR_BEFORE_LF"}},
	"InvalidHeaderToken":                        {"RFC 9112, Section 5.1", "A field name is a token, and the colon follows it without white space.", nil},
	"InvalidHeaderValueChar":                    {"RFC 9110, Section 5.5", "A field value has no control bytes but HTAB.", []string{"HEADERS"}},
	"EmptyContentLength":                        {"RFC 9110, Section 8.6", "Content-Length has at least one digit.", nil},
	"EmptyTransferEncoding":                     {"RFC 9112, Section 6.1", "Transfer-Encoding names at least one coding.", nil},
	"ContentLengthWithTransferEncoding":         {"RFC 9112, Section 6.2", "A sender sends no Content-Length beside Transfer-Encoding: recipients disagree on which of them counts.", []string{"CHUNKED_LENGTH"}},
	"TransferEncodingWithContentLength":         {"RFC 9112, Section 6.2", "A sender sends no Content-Length beside Transfer-Encoding: recipients disagree on which of them counts.", []string{"CHUNKED_LENGTH"}},
	"DuplicateContentLength":                    {"RFC 9112, Section 6.3", "A message has one Content-Length: with two, recipients may choose different ones.", nil},
	"ContentLengthOverflow":                     {"RFC 9110, Section 8.6", "Content-Length must fit 64 bits here.", nil},
	"InvalidCharInContentLength":                {"RFC 9110, Section 8.6", "Content-Length is digits: no sign, no list, nothing behind them.", nil},
	"InvalidTransferEncodingValue":              {"RFC 9112, Section 6.1", "In a request, no coding follows chunked.", []string{"TRANSFER_ENCODING"}},
	"RequestInvalidTransferEncoding":            {"RFC 9112, Section 6.3", "The last coding of a request is chunked: otherwise its length is not known.", []string{"TRANSFER_ENCODING"}},
	"MissingLFAfterHeaderValue":                 {"RFC 9112, Section 2.2", "A line ends with CRLF: LF must follow the CR behind a field value.", nil},
	"MissingCRAfterHeaderValue":                 {"RFC 9112, Section 2.2", "A line ends with CRLF, not with LF alone.", []string{"OPTIONAL_CR_BEFORE_LF"}},
	"UnexpectedWhitespaceAfterHeaderValue":      {"RFC 9112, Section 5.2", "A field value does not go on in the next line (obs-fold).", []string{"HEADERS"}},
	"ExpectedLFAfterHeaders":                    {"RFC 9112, Section 2.2", "A line ends with CRLF: LF must follow the CR of the empty line behind the fields.", []string{"OPTIONAL_LF_AFTER_CR"}},
	"InvalidCharInChunkSize":                    {"RFC 9112, Section 7.1", "A chunk-size is hexadecimal digits.", nil},
	"ChunkSizeOverflow":                         {"RFC 9112, Section 7.1", "A chunk-size must fit 64 bits here.", nil},
	"ExpectedLFAfterChunkSize":                  {"RFC 9112, Section 7.1", "The line of a chunk-size ends with CRLF: LF must follow the CR.", []string{"OPTIONAL_LF_AFTER_CR"}},
	"MissingCRAfterChunkSize":                   {"RFC 9112, Section 7.1", "The line of a chunk-size ends with CRLF, not with LF alone.", []string{"OPTIONAL_CR_BEFORE_LF"}},
	"InvalidCharInChunkExtensions":              {"RFC 9112, Section 7.1.1", "The name of a chunk extension is a token right behind the ';'.", nil},
	"InvalidCharInChunkExtensionName":           {"RFC 9112, Section 7.1.1", "The name of a chunk extension is a token.", nil},
	"MissingCRAfterChunkExtensionName":          {"RFC 9112, Section 7.1", "The line of a chunk-size ends with CRLF, not with LF alone.", []string{"OPTIONAL_CR_BEFORE_LF"}},
	"InvalidCharInChunkExtensionValue":          {"RFC 9112, Section 7.1.1", "The value of a chunk extension is a token or a quoted-string.", nil},
	"MissingCRAfterChunkExtensionValue":         {"RFC 9112, Section 7.1", "The line of a chunk-size ends with CRLF, not with LF alone.", []string{"OPTIONAL_CR_BEFORE_LF"}},
	"InvalidCharInChunkExtensionQuotedValue":    {"RFC 9110, Section 5.6.4", "A quoted-string has no control bytes but HTAB.", nil},
	"InvalidQuotedPair":                         {"RFC 9110, Section 5.6.4", "Behind the backslash in a quoted-string stands HTAB, SP, a visible character or a byte from 0x80 on.", nil},
	"InvalidCharAfterChunkExtensionQuotedValue": {"RFC 9112, Section 7.1.1", "Behind a quoted-string the line ends, or ';' begins another extension.", nil},
	"ExpectedLFAfterChunkData":                  {"RFC 9112, Section 7.1", "CRLF follows the data of a chunk.", []string{"OPTIONAL_CRLF_AFTER_CHUNK"}},
	"MissingCRAfterChunkData":                   {"RFC 9112, Section 7.1", "CRLF follows the data of a chunk, not LF alone.", []string{"OPTIONAL_CR_BEFORE_LF"}},
	"DataAfterClose":                            {"RFC 9112, Section 9.6", "Nothing follows the last message of a connection.", []string{"DATA_AFTER_CLOSE"}},
	"PauseOnUpgrade":                            {"RFC 9110, Section 7.8", "The message asks to leave HTTP: CONNECT, or Upgrade with \"Connection: upgrade\".", nil},
}

// advice says what the host does about an errno. Those of callbacks, CB_*, have the one of CB.
var advice = map[string]string{
	"OK":                        "Go on.",
	"INTERNAL":                  "The program has damaged the parser object: it wrote to its members, parsed with it in two threads, or handed it from another copy of llhttp to this library. Find that; close the connection.",
	"STRICT":                    "Refuse the message. Line ends and chunk extensions that recipients read in different ways are a way to smuggle requests.",
	"LF_EXPECTED":               "Refuse the message. A bare CR inside a field is a line end to some recipients: that smuggles fields.",
	"UNEXPECTED_CONTENT_LENGTH": "Refuse the message, and do not choose one of the lengths: another recipient may choose the other.",
	"CLOSED_CONNECTION":         "Send nothing: all messages that the peer may expect an answer to were complete before. Close the connection once they are answered. For a client this is a fault of the server, or an attempt to poison its cache.",
	"INVALID_METHOD":            "A method that the parser does not know is answered with 501; so are bytes that are no HTTP at all, such as a TLS handshake sent to a port without TLS.",
	"INVALID_URL":               "Refuse the request. Do not repair the target and answer it: what checks it in front of this server may have seen another. A redirect to the encoded target is allowed (RFC 9112, Section 3.2).",
	"INVALID_CONSTANT":          "Refuse the request. In a parser of type HTTP_REQUEST a response gives this error too, and the other way round: check which direction the parser got.",
	"INVALID_VERSION":           "A version that the parser does not know is answered with 505, what is none with 400.",
	"INVALID_HEADER_TOKEN":      "Refuse the message. If it comes from a device that cannot be repaired, a flag may help; docs/lenient.md says what each opens.",
	"INVALID_CONTENT_LENGTH":    "Refuse the message: where its body ends is not certain, so nothing behind it can be parsed.",
	"INVALID_CHUNK_SIZE":        "Refuse the message and close: where the next chunk begins is not certain. If the handler already works on the request, cancel it.",
	"INVALID_STATUS":            "A client reports that the response is not valid and closes; a gateway answers 502.",
	"INVALID_EOF_STATE":         "The peer has closed in the middle of a message. A server discards the request; what it did with the part of the body that came must be undone or be harmless. A client must not take the response for complete (RFC 9112, Section 8).",
	"INVALID_TRANSFER_ENCODING": "Refuse the message: where its body ends is not certain, so nothing behind it can be parsed.",
	"CB":                        "The program's own callback has refused, and knows why: keep the cause in what parser->data points to, and answer as it asks. The parser parses no more bytes until llhttp_reset or llhttp_init.",
	"PAUSED":                    "No error. Keep the bytes from llhttp_get_error_pos on; when the program is ready, call llhttp_resume and hand them to llhttp_execute, even if none are left.",
	"PAUSED_UPGRADE":            "No error. Take the other protocol up with the bytes from llhttp_get_error_pos on, or decline: answer, call llhttp_resume_after_upgrade and go on parsing there.",
	"PAUSED_H2_UPGRADE":         "No error. Hand the connection to an HTTP/2 library, preface included; without one, close it.",
	"USER":                      "A span callback of the program has refused, or a limit that it has set. A callback keeps its cause in what parser->data points to, and answers as that asks, with 413, 414 or 431 for what is too large; for a limit llhttp_ext_error_status has the status. The parser parses no more bytes until llhttp_reset or llhttp_init.",
	"CR_EXPECTED":               "Refuse the message. RFC 9112 lets recipients take LF alone for the end of a line in start-line and fields; it does not in chunked coding.",
	"UNEXPECTED_SPACE":          "Refuse the message. What would be a field to one recipient goes on with the start-line for another.",
}

// Explanation is the reason's entry.
func (r reason) Explanation() explanation { return explanations[r.Name] }

// Section says where a limit comes from, for those who ask why it struck.
func (l limit) Section() string {
	if l.Status == 414 {
		return "RFC 9110, Section 15.5.15"
	}
	return "llhttp_ext.h, " + l.Member()
}

// Rule is what a limit is about.
func (l limit) Rule() string {
	return "The program has set a limit, and the message goes beyond it: " + l.Reason + "."
}

// Advice is what the host does about the errno.
func (e errno) Advice() string {
	if e.IsCallback() {
		return advice["CB"]
	}
	return advice[e.Name]
}

// Various tells whether reasons of the errno have other statuses than it.
func (e errno) Various() bool {
	return slices.ContainsFunc(e.Reasons(), func(r reason) bool { return r.status() != e.Status })
}

// IsCallback tells whether the errno means that a callback has refused.
func (e errno) IsCallback() bool { return strings.HasPrefix(e.Name, "CB_") }

// Reasons are those with which the parser itself raises the errno.
func (e errno) Reasons() (list []reason) {
	for _, r := range reasons {
		if r.Errno == e.Name {
			list = append(list, r)
		}
	}
	return list
}

// Callbacks are those whose refusal is the errno.
func (e errno) Callbacks() (list []callback) {
	for _, c := range callbacks {
		if c.Errno == e.Name {
			list = append(list, c)
		}
	}
	return list
}

// validateExplanations makes sure that nothing is left unexplained, and that nothing unknown is explained.
func validateExplanations() error {
	unused := map[string]bool{}
	for name := range explanations {
		unused[name] = true
	}
	for _, r := range reasons {
		e, ok := explanations[r.Name]
		if !ok {
			return fmt.Errorf("reason %s has no explanation", r.Name)
		}
		delete(unused, r.Name)
		for _, name := range e.Lenient {
			if !slices.ContainsFunc(lenientFlags, func(f lenientFlag) bool { return f.Name == name }) {
				return fmt.Errorf("reason %s: unknown lenient flag %s", r.Name, name)
			}
		}
	}
	for name := range unused {
		return fmt.Errorf("there is an explanation, but no reason %s", name)
	}
	for _, e := range errnos {
		if e.Advice() == "" {
			return fmt.Errorf("errno %s has no advice", e.Name)
		}
	}
	return nil
}
