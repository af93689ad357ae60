// Parses a request that arrives in two pieces, then one that is all there.
package main

import (
	"fmt"
	"os"

	"llhttpgo"
)

func main() {
	parser := llhttpgo.NewParser(llhttpgo.TypeRequest)
	for _, piece := range []string{"GET /index.html HTTP/1.1\r\nHost: exam", "ple.com\r\nAccept: */*\r\n\r\n"} {
		for e, err := range parser.Parse([]byte(piece)) {
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			switch e.Kind() {
			case llhttpgo.EventURL, llhttpgo.EventHeaderField, llhttpgo.EventHeaderValue:
				fmt.Printf("%-12v  %s\n", e.Kind(), e.Data())
			case llhttpgo.EventMessageComplete:
				fmt.Printf("%v, keep-alive: %v\n", e.Method(), e.KeepAlive())
			}
		}
	}

	head := llhttpgo.NewHead(llhttpgo.TypeRequest)
	n, err := head.Parse([]byte("GET / HTTP/1.1\r\nHost: example.com\r\nCookie: a=1\r\ncookie: b=2\r\n\r\n"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%v %s, %d bytes, host %s\n", head.Method(), head.Target(), n, head.Value(llhttpgo.FieldHost))
	for value := range head.Values(llhttpgo.FieldCookie) {
		fmt.Printf("cookie %s\n", value)
	}
}
