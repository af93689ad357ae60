package llhttpgo_test

import (
	"fmt"

	"llhttpgo"
)

// Letters of either case.
func ExampleLookupField() {
	fmt.Println(llhttpgo.LookupField([]byte("content-TYPE")) == llhttpgo.FieldContentType)
	fmt.Println(llhttpgo.FieldContentType)
	// Output:
	// true
	// Content-Type
}

// The media ranges of an Accept field, with their weights.
func ExampleList() {
	for member, err := range llhttpgo.List([]byte(`text/html, application/json;q="0.9", */*;q=0.1`)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s", member)
		for parameter, err := range llhttpgo.Parameters(member) {
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Printf(" -> %s is %s", parameter.Name, parameter.AppendValue(nil))
		}
		fmt.Println()
	}
	// Output:
	// text/html
	// application/json;q="0.9" -> q is 0.9
	// */*;q=0.1 -> q is 0.1
}

// A member that only contains the token is another one.
func ExampleHasToken() {
	for _, value := range []string{"keep-alive, Upgrade", "upgrade-insecure"} {
		found, _, err := llhttpgo.HasToken([]byte(value), "upgrade")
		fmt.Println(found, err)
	}
	// Output:
	// true <nil>
	// false <nil>
}

// The parts of a target as proxies get it.
func ExampleParseTarget() {
	target, err := llhttpgo.ParseTarget([]byte("http://[2001:db8::1]:8080/path?query"), llhttpgo.MethodGET)
	fmt.Println(err)
	fmt.Println(target.Form == llhttpgo.TargetAbsolute, target.HostKind == llhttpgo.HostIPv6)
	fmt.Printf("%s %d %s %s\n", target.Host, target.PortNumber, target.Path, target.Query)
	// Output:
	// <nil>
	// true true
	// 2001:db8::1 8080 /path query
}
