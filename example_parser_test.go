package llhttpgo_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"llhttpgo"
)

// A request that arrives in two pieces. What the end of a piece cuts comes in two events.
func ExampleParser_Parse() {
	parser := llhttpgo.NewParser(llhttpgo.TypeRequest)
	parser.SetEvents(llhttpgo.Events(llhttpgo.EventURL, llhttpgo.EventHeaderField, llhttpgo.EventHeaderValue,
		llhttpgo.EventHeadersComplete, llhttpgo.EventMessageComplete))
	for _, piece := range []string{"GET /index.html HTTP/1.1\r\nHost: exam", "ple.com\r\nAccept: */*\r\n\r\n"} {
		for e, err := range parser.Parse([]byte(piece)) {
			if err != nil {
				fmt.Println(err)
				return
			}
			switch e.Kind() {
			case llhttpgo.EventHeadersComplete:
				major, minor := e.Version()
				fmt.Printf("%v: %v, HTTP/%d.%d\n", e.Kind(), e.Method(), major, minor)
			case llhttpgo.EventMessageComplete:
				fmt.Printf("%v: keep-alive %v\n", e.Kind(), e.KeepAlive())
			default:
				fmt.Printf("%v: %s\n", e.Kind(), e.Data())
			}
		}
	}
	// Output:
	// url: /index.html
	// header_field: Host
	// header_value: exam
	// header_value: ple.com
	// header_field: Accept
	// header_value: */*
	// headers_complete: GET, HTTP/1.1
	// message_complete: keep-alive true
}

// The bodies of all messages on a connection, which is read to its end.
func Example_connection() {
	connection := io.Reader(strings.NewReader("POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nfirst" +
		"POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nseco\r\n2\r\nnd\r\n0\r\n\r\n"))
	read := func() error {
		parser := llhttpgo.NewParser(llhttpgo.TypeRequest)
		buffer := make([]byte, 4096)
		var body []byte
		for {
			n, err := connection.Read(buffer)
			for e, err := range parser.Parse(buffer[:n]) {
				if err != nil {
					return err
				}
				switch e.Kind() {
				case llhttpgo.EventBody:
					body = append(body, e.Data()...) // the buffer is used again
				case llhttpgo.EventMessageComplete:
					fmt.Printf("%s\n", body)
					body = body[:0]
				}
			}
			if err != nil {
				break
			}
		}
		for _, err := range parser.Finish() { // the connection must not end within a message
			if err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Println(read())
	// Output:
	// first
	// second
	// <nil>
}

// A loop that ends early leaves the rest of the input for later.
func ExampleParser_Consumed() {
	input := []byte("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n")
	parser := llhttpgo.NewParser(llhttpgo.TypeRequest)
	for e := range parser.Parse(input) {
		if e.Kind() == llhttpgo.EventMessageComplete {
			break
		}
	}
	fmt.Printf("%q\n", input[parser.Consumed():])
	// Output:
	// "GET /b HTTP/1.1\r\n\r\n"
}

// The response to a HEAD request has no body, which only who has sent the request knows.
func ExampleParser_SkipBody() {
	parser := llhttpgo.NewParser(llhttpgo.TypeResponse)
	for e, err := range parser.Parse([]byte("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch e.Kind() {
		case llhttpgo.EventHeadersComplete:
			parser.SkipBody()
		case llhttpgo.EventMessageComplete:
			fmt.Println("complete")
		}
	}
	// Output:
	// complete
}

// What follows an upgrade is not HTTP.
func ExampleErrno() {
	input := []byte("GET /chat HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x05hello")
	parser := llhttpgo.NewParser(llhttpgo.TypeRequest)
	for _, err := range parser.Parse(input) {
		switch {
		case errors.Is(err, llhttpgo.ErrPausedUpgrade):
			fmt.Printf("for another protocol: %q\n", input[parser.Consumed():])
		case err != nil:
			fmt.Println(err)
		}
	}
	// Output:
	// for another protocol: "\x81\x05hello"
}

// Where a message is wrong, and why.
func ExampleError() {
	input := []byte("GET / HTTP/1.1\r\nX-Forwarded-For : 203.0.113.7\r\n\r\n")
	parser := llhttpgo.NewParser(llhttpgo.TypeRequest)
	for _, err := range parser.Parse(input) {
		var e *llhttpgo.Error
		if errors.As(err, &e) {
			fmt.Println(e.Errno)
			fmt.Println(e.Reason)
			fmt.Printf("%q\n", input[e.Offset:e.Offset+4])
		}
	}
	// Output:
	// HPE_INVALID_HEADER_TOKEN
	// Invalid header token
	// " : 2"
}

// A Handler in place of a loop.
func ExampleParser_Execute() {
	parser := llhttpgo.NewParser(llhttpgo.TypeRequest)
	n, err := parser.Execute([]byte("GET / HTTP/1.1\r\n\r\n"), llhttpgo.HandlerFunc(func(e llhttpgo.Event) error {
		if e.Kind() == llhttpgo.EventMethodComplete && e.Method() != llhttpgo.MethodPOST {
			return errors.New("not that method")
		}
		return nil
	}))
	fmt.Println(n, err)
	// Output:
	// 3 not that method
}
