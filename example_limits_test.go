package llhttpgo_test

import (
	"errors"
	"fmt"
	"strings"

	"llhttpgo"
)

// A server that takes no more than it wants to, by the rules of the RFCs, and says why it refuses.
func ExampleParser_SetLimits() {
	parser := llhttpgo.NewParser(llhttpgo.TypeRequest)
	parser.SetRules(llhttpgo.StrictAll)
	parser.SetLimits(llhttpgo.Limits{MaxTargetLength: 8000, MaxFields: 100, MaxHeaderBytes: 65536, MaxTrailerBytes: 8192})
	for _, input := range []string{
		"GET /" + strings.Repeat("a", 10000) + " HTTP/1.1\r\n\r\n",
		"GET / HTTP/1.1\r\n" + strings.Repeat("A: b\r\n", 200) + "\r\n",
		"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
		"BREW /coffee HTTP/1.1\r\n\r\n",
	} {
		parser.Reset()
		for _, err := range parser.Parse([]byte(input)) {
			if err != nil {
				fmt.Println(llhttpgo.HTTPStatus(err), err)
			}
		}
	}
	// Output:
	// 414 llhttpgo: HPE_USER: Request target exceeds max_target_length, at byte 8004
	// 431 llhttpgo: HPE_USER: Field lines exceed max_fields, at byte 616
	// 400 llhttpgo: HPE_INVALID_HEADER_TOKEN: Duplicate Host, at byte 30
	// 501 llhttpgo: HPE_INVALID_METHOD: Invalid method encountered, at byte 1
}

// Which limit it is.
func ExampleLimitError() {
	parser := llhttpgo.NewParser(llhttpgo.TypeRequest)
	parser.SetLimits(llhttpgo.Limits{MaxHeaderBytes: 20})
	for _, err := range parser.Parse([]byte("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")) {
		var limit llhttpgo.LimitError
		switch {
		case errors.Is(err, llhttpgo.ErrMaxHeaderBytes):
			fmt.Println("too much:", err)
		case errors.As(err, &limit):
			fmt.Println("another limit:", limit)
		}
	}
	// Output:
	// too much: llhttpgo: HPE_USER: Message head exceeds max_header_bytes, at byte 20
}

// A field line that does not parse is skipped, and told.
func ExampleParser_SetRules() {
	parser := llhttpgo.NewParser(llhttpgo.TypeRequest)
	parser.SetRules(llhttpgo.StrictAll | llhttpgo.TolerateBadFieldLines)
	for e, err := range parser.Parse([]byte("GET / HTTP/1.1\r\nHost: a\r\nX Y: z\r\nAccept: */*\r\n\r\n")) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch e.Kind() {
		case llhttpgo.EventHeaderField, llhttpgo.EventHeaderValue, llhttpgo.EventSkippedLine:
			fmt.Printf("%v: %q\n", e.Kind(), e.Data())
		}
	}
	// Output:
	// header_field: "Host"
	// header_value: "a"
	// header_field: "X"
	// skipped_line: " Y: z"
	// header_field: "Accept"
	// header_value: "*/*"
}
