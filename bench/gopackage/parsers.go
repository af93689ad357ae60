package main

// This file has what is compared: the messages, and one function for each parser. All get their bytes from a
// bufio.Reader, as servers do, and all leave it behind the header section.

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"github.com/valyala/fasthttp"

	"llhttpgo"
)

// messages are header sections of requests: what bench/corpus.c has under these names.
var messages = []struct {
	name string
	text string
}{
	{"tiny", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"},
	{"headers4", "GET /api/v1/items?page=2 HTTP/1.1\r\nHost: api.example.com\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n" +
		"Authorization: Bearer 0123456789abcdef0123456789abcdef\r\n\r\n"},
	{"browser", "GET /wp-content/uploads/2010/03/hello-kitty-darth-vader-pink.jpg HTTP/1.1\r\nHost: www.kittyhell.com\r\n" +
		"User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:126.0) Gecko/20100101 Firefox/126.0\r\n" +
		"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n" +
		"Accept-Language: ja,en-us;q=0.7,en;q=0.3\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nConnection: keep-alive\r\n" +
		"Referer: https://www.example.com/search?q=kitty&hl=en\r\n" +
		"Cookie: wp_ozh_wsa_visits=2; wp_ozh_wsa_visit_lasttime=xxxxxxxxxx; __utma=xxxxxxxxx.xxxxxxxxxx.xxxxxxxxxx.xxxxxxxxxx.xxxxxxxxxx.x; " +
		"__utmz=xxxxxxxxx.xxxxxxxxxx.x.x.utmccn=(referral)|utmcsr=reader.livedoor.com|utmcct=/reader/|utmcmd=referral\r\n" +
		"Upgrade-Insecure-Requests: 1\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: cross-site\r\n" +
		"Sec-Fetch-User: ?1\r\nPriority: u=1\r\nCache-Control: max-age=0\r\n\r\n"},
	{"headers32", fields(32, "X-Header-%02d: the value of the header %d\r\n")},
	{"names100", fields(100, "X-Custom-Name-%03d: %d\r\n")},
}

func fields(n int, format string) string {
	var b strings.Builder
	b.WriteString("GET / HTTP/1.1\r\nHost: www.example.com\r\n")
	for i := range n - 1 {
		fmt.Fprintf(&b, format, i, i)
	}
	return b.String() + "\r\n"
}

// summary is what every parser must find.
type summary struct {
	method, target, host string
	fields               int
}

// parser is one of those compared. parse reads a header section; summary is called after it.
type parser struct {
	name    string
	parse   func(*bufio.Reader) error
	summary func() summary
}

// parsers makes one of each, ours first.
func parsers() []parser {
	head := llhttpgo.NewHead(llhttpgo.TypeRequest)
	var request *http.Request
	var fast fasthttp.RequestHeader
	fast.DisableNormalizing() // we do not do it either, and it is faster without
	return []parser{
		{"llhttpgo", func(r *bufio.Reader) error {
			if _, err := r.Peek(1); err != nil {
				return err
			}
			data, err := r.Peek(r.Buffered())
			if err != nil {
				return err
			}
			n, err := head.Parse(data)
			if err == nil {
				_, err = r.Discard(n)
			}
			return err
		}, func() summary {
			return summary{head.Method().String(), string(head.Target()), string(head.Value(llhttpgo.FieldHost)), head.Len()}
		}},
		{"net/http", func(r *bufio.Reader) (err error) {
			request, err = http.ReadRequest(r)
			return err
		}, func() summary {
			return summary{request.Method, request.RequestURI, request.Host, len(request.Header) + 1}
		}},
		{"fasthttp", func(r *bufio.Reader) error { return fast.Read(r) }, func() summary {
			return summary{string(fast.Method()), string(fast.RequestURI()), string(fast.Host()), fast.Len()}
		}},
	}
}

// input gives a message again and again.
type input struct {
	text   []byte
	source bytes.Reader
	reader *bufio.Reader
}

func newInput(text string) *input {
	return &input{text: []byte(text), reader: bufio.NewReaderSize(nil, 16<<10)}
}

func (i *input) again() *bufio.Reader {
	i.source.Reset(i.text)
	i.reader.Reset(&i.source)
	return i.reader
}
