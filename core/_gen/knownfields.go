package main

import (
	"fmt"
	"math/bits"
	"math/rand"
	"strings"
)

// Well-known field names in their usual spelling, and the perfect hash by which one is found.
//
// The place of a name is its id, from 1 on, and ids are part of the library's interface: names are appended, never moved,
// taken away or spelled otherwise. knownfields.txt holds them a second time, and a test compares the two.
//
// The first 64 are those that most messages are made of, so that one word has a bit for each.
var knownFields = strings.Fields(`
Host Connection Content-Length Transfer-Encoding Content-Type User-Agent Accept Accept-Encoding Accept-Language Cookie
Referer Origin Cache-Control Authorization Upgrade Upgrade-Insecure-Requests DNT Pragma If-Modified-Since If-None-Match
Range Expect Sec-Fetch-Site Sec-Fetch-Mode Sec-Fetch-User Sec-Fetch-Dest Sec-CH-UA Sec-CH-UA-Mobile Sec-CH-UA-Platform
Priority TE X-Forwarded-For X-Forwarded-Proto X-Forwarded-Host X-Real-IP X-Requested-With X-Request-ID Via Forwarded
Proxy-Connection Keep-Alive Date Server Set-Cookie ETag Last-Modified Expires Age Vary Location Content-Encoding
Accept-Ranges Content-Range Link Alt-Svc Strict-Transport-Security X-Content-Type-Options X-Frame-Options
Content-Security-Policy Access-Control-Allow-Origin Content-Disposition Trailer Traceparent

A-IM Accept-Additions Accept-CH Accept-Charset Accept-Datetime Accept-Features Accept-Patch Accept-Post Accept-Signature
Access-Control-Allow-Credentials Access-Control-Allow-Headers Access-Control-Allow-Methods Access-Control-Expose-Headers
Access-Control-Max-Age Access-Control-Request-Headers Access-Control-Request-Method Activate-Storage-Access Allow ALPN
Alt-Used Alternates Apply-To-Redirect-Ref Authentication-Control Authentication-Info Available-Dictionary
Cache-Group-Invalidation Cache-Groups Cache-Status Cal-Managed-ID CalDAV-Timezones Capsule-Protocol CDN-Cache-Control
CDN-Loop Cert-Not-After Cert-Not-Before Clear-Site-Data Client-Cert Client-Cert-Chain Close CMCD-Object CMCD-Request
CMCD-Session CMCD-Status CMSD-Dynamic CMSD-Static Concealed-Auth-Export Content-Digest Content-Language Content-Location
Content-Security-Policy-Report-Only Cross-Origin-Embedder-Policy Cross-Origin-Embedder-Policy-Report-Only
Cross-Origin-Opener-Policy Cross-Origin-Opener-Policy-Report-Only Cross-Origin-Resource-Policy DASL DAV Delta-Base
Deprecation Depth Destination Detached-JWS Dictionary-ID DPoP DPoP-Nonce Early-Data From Hobareg If If-Match If-Range
If-Schedule-Tag-Match If-Unmodified-Since IM Include-Referred-Token-Binding-ID Incremental Label Last-Event-ID
Link-Template Lock-Token Max-Forwards Memento-Datetime Meter MIME-Version Negotiate NEL OData-EntityId OData-Isolation
OData-MaxVersion OData-Version Optional-WWW-Authenticate Ordering-Type Origin-Agent-Cluster OSCORE OSLC-Core-Version
Overwrite Permissions-Policy Ping-From Ping-To Position Prefer Preference-Applied Proxy-Authenticate
Proxy-Authentication-Info Proxy-Authorization Proxy-Status Public-Key-Pins Public-Key-Pins-Report-Only Redirect-Ref
Referrer-Policy Refresh Replay-Nonce Repr-Digest Retry-After Schedule-Reply Schedule-Tag Sec-Fetch-Storage-Access
Sec-Purpose Sec-Token-Binding Sec-WebSocket-Accept Sec-WebSocket-Extensions Sec-WebSocket-Key Sec-WebSocket-Protocol
Sec-WebSocket-Version Server-Timing Set-Txn Signature Signature-Input SLUG SoapAction Status-URI Sunset TCN Timeout Topic
Tracestate TTL Unencoded-Digest Urgency Use-As-Dictionary Variant-Vary Want-Content-Digest Want-Repr-Digest
Want-Unencoded-Digest WWW-Authenticate

AMP-Cache-Transform Configuration-Context Content-ID Content-MD5 Cookie2 CTA-Common-Access-Token Differential-ID Digest
EDIINT-Features Expect-CT HTTP2-Settings Isolation P3P Protocol-Info Protocol-Query Repeatability-Client-ID
Repeatability-First-Sent Repeatability-Request-ID Repeatability-Result Reporting-Endpoints Sec-GPC Set-Cookie2
Surrogate-Capability Surrogate-Control Timing-Allow-Origin URI Want-Digest Warning

Critical-CH Device-Memory Downlink DPR ECT RTT Save-Data Viewport-Width Width Content-DPR Sec-CH-Device-Memory
Sec-CH-Downlink Sec-CH-DPR Sec-CH-ECT Sec-CH-Prefers-Color-Scheme Sec-CH-Prefers-Contrast Sec-CH-Prefers-Reduced-Motion
Sec-CH-Prefers-Reduced-Transparency Sec-CH-RTT Sec-CH-Save-Data Sec-CH-UA-Arch Sec-CH-UA-Bitness Sec-CH-UA-Form-Factors
Sec-CH-UA-Full-Version Sec-CH-UA-Full-Version-List Sec-CH-UA-Model Sec-CH-UA-Platform-Version Sec-CH-UA-WoW64
Sec-CH-Viewport-Height Sec-CH-Viewport-Width Sec-CH-Width Sec-Browsing-Topics Observe-Browsing-Topics
Attribution-Reporting-Eligible Attribution-Reporting-Register-Source Attribution-Reporting-Register-Trigger
Feature-Policy Document-Policy Document-Policy-Report-Only Integrity-Policy Integrity-Policy-Report-Only Report-To
Require-Document-Policy Service-Worker Service-Worker-Allowed Service-Worker-Navigation-Preload SourceMap
Speculation-Rules Supports-Loading-Mode Sec-Speculation-Tags No-Vary-Search Purpose Tk X-Moz X-Purpose

X-Accel-Buffering X-Accel-Charset X-Accel-Expires X-Accel-Limit-Rate X-Accel-Redirect X-Api-Key X-Att-Deviceid
X-B3-Flags X-B3-ParentSpanId X-B3-Sampled X-B3-SpanId X-B3-TraceId B3 Baggage X-Amz-Cf-Id X-Amz-Cf-Pop
X-Amz-Content-Sha256 X-Amz-Date X-Amz-Request-Id X-Amz-Security-Token X-Amzn-Trace-Id X-Aspnet-Version X-AspNetMvc-Version
X-Cache X-Cache-Hits X-Cloud-Trace-Context X-Client-IP X-Cluster-Client-IP X-Correlation-ID X-CSRF-Token X-CSRFToken
X-DNS-Prefetch-Control X-Download-Options X-Envoy-Upstream-Service-Time X-Forwarded X-Forwarded-Port X-Forwarded-Prefix
X-Forwarded-Scheme X-Forwarded-Server X-Forwarded-Ssl X-Forwarded-User Front-End-Https X-GitHub-Delivery X-GitHub-Event
X-Hub-Signature X-Hub-Signature-256 X-HTTP-Method X-HTTP-Method-Override X-Method-Override X-Original-Forwarded-For
X-Original-Host X-Original-URI X-Original-URL X-Permitted-Cross-Domain-Policies X-Pingback X-Powered-By
X-ProxyUser-Ip X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset RateLimit RateLimit-Limit RateLimit-Policy
RateLimit-Remaining RateLimit-Reset X-Request-Start X-Rewrite-URL X-Robots-Tag X-Runtime X-Scheme X-Sendfile X-Served-By
X-Session-ID X-SourceMap X-Timer X-Trace-ID X-UA-Compatible X-UIDH X-Varnish X-Vercel-Cache X-Vercel-Id X-Wap-Profile
X-XSRF-TOKEN X-XSS-Protection CF-Cache-Status CF-Connecting-IP CF-IPCountry CF-Ray CF-Visitor CF-Worker True-Client-IP
Fastly-Client-IP Fly-Client-IP Idempotency-Key Idempotent-Replayed Request-Id Request-Context Ali-Swift-Global-Savetime
EagleId Grpc-Encoding Grpc-Accept-Encoding Grpc-Message Grpc-Status Grpc-Timeout Connect-Protocol-Version
Connect-Timeout-Ms MS-Author-Via MS-CV Brief Translate Mcp-Session-Id Mcp-Protocol-Version Upload-Complete
Upload-Defer-Length Upload-Length Upload-Limit Upload-Metadata Upload-Offset Tus-Extension Tus-Max-Size Tus-Resumable
Tus-Version Icy-MetaData Icy-MetaInt Content-Transfer-Encoding Content-Version
`)

// A knownField is a name as it is compared: words of its first and its last eight bytes, and which of their bits a letter's
// case does not count in. Names of fewer than eight bytes have one word, which stands for both: see nameWords.
type knownField struct {
	Name        string
	ID          int
	First, Last uint64
	FirstMask   uint64
	LastMask    uint64
	Text, CText int // where its bytes begin in the text of all names, in Go and in C, which has NULs between them
}

// C and Go are the constants' names without their prefix.
func (k knownField) C() string { return strings.ToUpper(strings.ReplaceAll(k.Name, "-", "_")) }
func (k knownField) Go() string {
	if k.Name == "X-CSRFToken" { // beside X-CSRF-Token
		return "XCsrfToken"
	}
	return strings.ReplaceAll(k.Name, "-", "")
}

// fieldText gives the text of all names, or the masks of its letters.
func fieldText(fields []knownField, nuls, masks bool) (text []int) {
	for _, k := range fields {
		b := []byte(k.Name)
		if masks {
			b = caseMask(k.Name)
		}
		for _, c := range b {
			text = append(text, int(c))
		}
		if nuls {
			text = append(text, 0)
		}
	}
	return text
}

// fieldHash finds a name's slot: core/knownfield.go and capi/knownfield.c do the same.
type fieldHash struct {
	K     uint64
	Shift int
	Slots []int // ids, 0 where there is none
}

// Names that have no ids are told by a hash of their own, which need not separate anything.
const (
	nameHashK1 = 0x9e3779b97f4a7c15
	nameHashK2 = 0xc2b2ae3d27d4eb4f
)

const (
	caseBits   = 0x2020202020202020
	leastSlots = 1 << 13
	mostSlots  = 1 << 14
	shortID    = 64 // ids below have their bit in the first word of those present
	shortName  = 16 // bytes that a name's two words have at most
	longName   = 1<<32 - 1
)

// nameWords gives the words of a name. Those of fewer than eight bytes stand at the end of theirs, behind bytes of fill.
func nameWords(b []byte, fill byte) (first, last uint64) {
	word := func(b []byte) (w uint64) {
		for i, c := range b {
			w |= uint64(c) << (8 * i)
		}
		return w
	}
	for len(b) < 8 {
		b = append([]byte{fill}, b...)
	}
	return word(b[:8]), word(b[len(b)-8:])
}

// caseMask has 0x20 for each letter.
func caseMask(name string) []byte {
	mask := make([]byte, len(name))
	for i := range name {
		if c := name[i] | 0x20; 'a' <= c && c <= 'z' {
			mask[i] = 0x20
		}
	}
	return mask
}

// slot gives the number of the slot for a name's words and length.
func (h *fieldHash) slot(first, last uint64, length int) int {
	return int(((first | caseBits) + (last|caseBits)*4 + uint64(length)) * h.K >> h.Shift)
}

// find gives the id in the slot that a name leads to.
func (h *fieldHash) find(name string) int {
	first, last := nameWords([]byte(name), 0xff)
	return h.Slots[h.slot(first, last, len(name))]
}

// buildKnownFields gives the names and a hash that sends each to a slot of its own.
func buildKnownFields() ([]knownField, *fieldHash, error) {
	var fields []knownField
	seen := map[string]string{}
	text := 0
	for i, name := range knownFields {
		lower := strings.ToLower(name)
		if other := seen[lower]; other != "" || len(name) > 255 {
			return nil, nil, fmt.Errorf("field name %s is there as %s, or too long", name, other)
		}
		if strings.Trim(lower, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return nil, nil, fmt.Errorf("field name %s: only letters, digits and hyphens are told exactly in tokens", name)
		}
		seen[lower] = name
		k := knownField{Name: name, ID: i + 1, Text: text, CText: text + i}
		k.First, k.Last = nameWords([]byte(name), 0xff)
		k.FirstMask, k.LastMask = nameWords(caseMask(name), 0)
		for _, other := range fields {
			if len(other.Name) == len(name) && other.First|caseBits == k.First|caseBits && other.Last|caseBits == k.Last|caseBits {
				return nil, nil, fmt.Errorf("field names %s and %s differ in nothing that the hash looks at", other.Name, name)
			}
		}
		fields = append(fields, k)
		text += len(name)
	}
	// One of some ten thousand multipliers does; for a table that is half as large it would be one of milliards.
	rng := rand.New(rand.NewSource(1))
	for size := leastSlots; size <= mostSlots; size *= 2 {
		h := &fieldHash{Shift: 64 - bits.Len(uint(size-1))}
		tried := make([]int, size)
		for try := 1; try <= 400000; try++ {
			h.K = rng.Uint64() | 1
			if h.separates(fields, tried, try) {
				h.Slots = make([]int, size)
				for _, k := range fields {
					h.Slots[h.slot(k.First, k.Last, len(k.Name))] = k.ID
				}
				return fields, h, nil
			}
		}
	}
	return nil, nil, fmt.Errorf("no hash was found that sends each field name to a slot of its own")
}

// separates tells whether each name has a slot of its own; tried has the number of the try in those that are taken.
func (h *fieldHash) separates(fields []knownField, tried []int, try int) bool {
	for _, k := range fields {
		slot := h.slot(k.First, k.Last, len(k.Name))
		if tried[slot] == try {
			return false
		}
		tried[slot] = try
	}
	return true
}

// TokenFirst, TokenLast and TokenLength are what a name that is a token must have to be this one; after longName there is more
// to look at.
func (k knownField) TokenFirst() uint64 { return k.First | caseBits }
func (k knownField) TokenLast() uint64  { return k.Last | caseBits }
func (k knownField) TokenLength() int {
	if len(k.Name) > shortName || k.ID >= shortID {
		return longName
	}
	return len(k.Name)
}

// shortWords gives, by the length of a name of fewer than eight bytes, the bits set in the eight bytes that end with it by which
// they become the name's word: all in those before the name, the bit that tells letters' case in the others.
func shortWords() (words []uint64) {
	for n := range 8 {
		word, _ := nameWords([]byte(strings.Repeat(" ", n)), 0xff)
		words = append(words, word)
	}
	return words
}
