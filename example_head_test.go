package llhttpgo_test

import (
	"fmt"
	"io"
	"strings"

	"llhttpgo"
)

// A header section that lies in one buffer.
func ExampleHead() {
	data := []byte("GET /index.html HTTP/1.1\r\nHost: example.com\r\nX-Request-ID: 1\r\nX-Own: 2\r\nContent-Length: 2\r\n\r\nhi")
	head := llhttpgo.NewHead(llhttpgo.TypeRequest)
	n, err := head.Parse(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v %s\n", head.Method(), head.Target())
	fmt.Printf("%s\n", head.Value(llhttpgo.FieldHost))
	for _, field := range head.Fields() {
		fmt.Printf("%s = %s, well-known %v\n", field.Name, field.Value, field.ID != 0)
	}
	if i := head.Find("x-own"); i >= 0 {
		fmt.Printf("x-own is %s\n", head.Field(i).Value)
	}
	fmt.Printf("body of %d bytes: %s\n", head.ContentLength(), data[n:])
	// Output:
	// GET /index.html
	// example.com
	// Host = example.com, well-known true
	// X-Request-ID = 1, well-known true
	// X-Own = 2, well-known false
	// Content-Length = 2, well-known true
	// x-own is 2
	// body of 2 bytes: hi
}

// Fields of the same name are linked in their order.
func ExampleHead_Values() {
	head := llhttpgo.NewHead(llhttpgo.TypeResponse)
	if _, err := head.Parse([]byte("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nDate: now\r\nSet-Cookie: b=2\r\n\r\n")); err != nil {
		fmt.Println(err)
		return
	}
	for value := range head.Values(llhttpgo.FieldSetCookie) {
		fmt.Printf("%s\n", value)
	}
	// Output:
	// a=1
	// b=2
}

// A server that reads until the header section is there, and lets a Parser read the body.
func ExampleParser_ResetAfterHead() {
	connection := io.Reader(strings.NewReader("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"))
	head := llhttpgo.NewHead(llhttpgo.TypeRequest)
	buffer := make([]byte, 0, 4096)
	var length int
	for {
		n, err := connection.Read(buffer[len(buffer):min(len(buffer)+20, cap(buffer))])
		buffer = buffer[:len(buffer)+n]
		if length, err = head.Parse(buffer); err == nil {
			break
		}
		if err != llhttpgo.ErrPartial || n == 0 {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(head.Method(), "chunked:", head.Chunked())

	rest, err := io.ReadAll(connection)
	if err != nil {
		fmt.Println(err)
		return
	}
	var parser llhttpgo.Parser
	parser.ResetAfterHead(head)
	for e, err := range parser.Parse(append(buffer[length:], rest...)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if e.Kind() == llhttpgo.EventBody {
			fmt.Printf("%s\n", e.Data())
		}
	}
	// Output:
	// POST chunked: true
	// abc
}
