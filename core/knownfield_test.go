package core

import (
	"bytes"
	"math/rand"
	"strings"
	"testing"

	"llhttpgo/tests/guard"
)

// knownOracle gives the ids by their names in lower case.
var knownOracle = func() map[string]uint16 {
	ids := map[string]uint16{}
	for id := uint16(1); id < FieldCount; id++ {
		ids[lowerOracle(FieldName(id))] = id
	}
	return ids
}()

func TestFieldName(t *testing.T) {
	for id, want := range map[uint16]string{
		0: "", FieldHost: "Host", FieldSecCHUAPlatform: "Sec-CH-UA-Platform", FieldWWWAuthenticate: "WWW-Authenticate",
		FieldXForwardedFor: "X-Forwarded-For", FieldTE: "TE", FieldCount: "", 65535: "",
	} {
		if got := FieldName(id); got != want {
			t.Errorf("id %d: %q, want %q", id, got, want)
		}
	}
	if len(knownOracle) != FieldCount-1 {
		t.Errorf("%d names for %d ids", len(knownOracle), FieldCount-1)
	}
}

// checkFieldID looks the name up at either end of the region.
func checkFieldID(t testing.TB, region []byte, name string) {
	t.Helper()
	var fault string
	func() {
		defer guard.FaultAsText(&fault)()
		for _, end := range []bool{false, true} {
			b := guard.At(region, name, end)
			if got, want := FieldID(guard.Address(b), uintptr(len(b))), knownOracle[lowerOracle(name)]; got != want {
				t.Errorf("%q: id %d, want %d", name, got, want)
			}
		}
	}()
	if fault != "" {
		t.Errorf("%q: %s", name, fault)
	}
}

func TestFieldID(t *testing.T) {
	region := guard.New(t, 4096)
	for lower, id := range knownOracle {
		for _, name := range []string{FieldName(id), lower, strings.ToUpper(lower), lower + "x", lower[:len(lower)-1], "x" + lower, lower + "\x00", ""} {
			checkFieldID(t, region, name)
		}
		// Every byte everywhere, those among them that differ in nothing but the bit of letters' case.
		b := guard.At(region, lower, true)
		for i := range b {
			for c := range 256 {
				b[i] = lower[i] // as the oracle has it
				want := id
				if lowered := lowerOracle(string([]byte{byte(c)}))[0]; lowered != b[i] {
					b[i] = lowered
					want = knownOracle[string(b)]
				}
				b[i] = byte(c)
				if got := FieldID(guard.Address(b), uintptr(len(b))); got != want {
					t.Errorf("%q: id %d, want %d", b, got, want)
				}
			}
			b[i] = lower[i]
		}
	}
	for n := range 300 {
		checkFieldID(t, region, strings.Repeat("a", n))
	}
}

// TestFieldIDCollisions shows that a name which comes to another's slot, with its length, is not taken for it.
func TestFieldIDCollisions(t *testing.T) {
	region := guard.New(t, 4096)
	const tchars = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	slot := func(name string) uint16 {
		first, last := fieldWords(addressOf(name), uintptr(len(name)))
		return fieldSlot(first|fold, last|fold, uintptr(len(name)))
	}
	rng := rand.New(rand.NewSource(1))
	same, middles := 0, 0
	for id := uint16(1); id < FieldCount; id++ {
		name := FieldName(id)
		// The hash does not look at the middle.
		for i := 8; i < len(name)-8; i++ {
			b := []byte(name)
			b[i] = tchars[rng.Intn(len(tchars))]
			if other := string(b); !strings.EqualFold(other, name) {
				middles++
				if slot(other) != id {
					t.Fatalf("%s does not come to the slot of %s", other, name)
				}
				checkFieldID(t, region, other)
			}
		}
	}
	// Of another length, where that comes to the same slot: the text in the table goes on with the next name, which must not help.
	for id := uint16(1); id < FieldCount; id++ {
		name := FieldName(id)
		text := fieldText[knownFields[id].text:]
		for n := 16; n-8 <= len(text) && len(name) >= 8; n++ {
			other := string(text[:n-8]) + name[len(name)-8:]
			if n != len(name) && slot(other) == id {
				checkFieldID(t, region, other)
			}
		}
	}
	b := make([]byte, 40)
	rounds := 300000
	if testing.Short() { // for emulated CPUs
		rounds /= 10
	}
	for range rounds {
		n := 1 + rng.Intn(len(b))
		for i := range b[:n] {
			b[i] = tchars[rng.Intn(len(tchars))]
		}
		name := string(b[:n])
		if id := slot(name); id != 0 && len(FieldName(id)) == n {
			same++
			checkFieldID(t, region, name)
		}
	}
	if same < rounds/1500 || middles < 500 {
		t.Errorf("only %d and %d names came to a slot with a name of their length", same, middles)
	}
}

func FuzzFieldID(f *testing.F) {
	for id := uint16(1); id < FieldCount; id += 7 {
		f.Add([]byte(FieldName(id)))
	}
	region := guard.New(f, 4096)
	f.Fuzz(func(t *testing.T, name []byte) {
		checkFieldID(t, region, string(name[:min(len(name), len(region))]))
	})
}

func BenchmarkFieldID(b *testing.B) {
	names := bytes.Fields([]byte("Host User-Agent Accept Accept-Encoding Accept-Language Connection Upgrade-Insecure-Requests Cookie X-Custom-Name"))
	for i := range b.N {
		name := names[i%len(names)]
		if FieldID(guard.Address(name), uintptr(len(name))) == FieldTE {
			b.Fatal("TE")
		}
	}
}

// TestFramingFieldsAreKnown holds the parser's own way to the fields that frame a message, which is shorter, against the ids.
func TestFramingFieldsAreKnown(t *testing.T) {
	kinds := map[uint16]uint8{FieldConnection: fieldConnection, FieldProxyConnection: fieldConnection, FieldContentLength: fieldContentLength,
		FieldTransferEncoding: fieldTransferEncoding, FieldUpgrade: fieldUpgrade}
	for id := uint16(1); id < FieldCount; id++ {
		line := FieldName(id) + ":        "
		if got := framingField(addressOf(line), uint32(len(FieldName(id)))); got != kinds[id] {
			t.Errorf("%s: kind %d, want %d", FieldName(id), got, kinds[id])
		}
	}
}
