package core

import (
	"strconv"
	"strings"
	"testing"

	"llhttpgo/core/asm"
)

// tries has every word with its id, lower-case where the parser lowers what it compares. Byte classes are tested in asm.
var tries = map[uint16]map[string]uint8{
	trieMethods: func() map[string]uint8 {
		words := map[string]uint8{}
		for number, word := range strings.Fields(methodWords) {
			words[word] = uint8(number) + 1
		}
		return words
	}(),
	trieMethodOrProtocol: {"HEAD": MethodHEAD + 1, "HTTP/": 255},
	trieProtocol:         {"HTTP": 1, "RTSP": 2, "ICE": 4},
	trieField: {
		"connection": fieldConnection, "proxy-connection": fieldConnection, "content-length": fieldContentLength,
		"transfer-encoding": fieldTransferEncoding, "upgrade": fieldUpgrade,
	},
	trieRuledField: {
		"connection": fieldConnection, "proxy-connection": fieldConnection, "content-length": fieldContentLength,
		"transfer-encoding": fieldTransferEncoding, "upgrade": fieldUpgrade, "host": fieldHost,
	},
	trieConnection: {"keep-alive": fieldConnectionKeepAlive, "close": fieldConnectionClose, "upgrade": fieldConnectionUpgrade},
}

// All that can be reached from the roots are the words and their prefixes, each node by one way.
func TestTrie(t *testing.T) {
	reached := map[uint16]bool{}
	for root, words := range tries {
		found := map[string]uint8{}
		var walk func(n uint16, prefix string)
		walk = func(n uint16, prefix string) {
			if reached[n] {
				t.Fatalf("node %d is reached twice", n)
			}
			reached[n] = true
			if id := node(n).id; id != 0 {
				found[prefix] = id
			} else if node(n).child == 0 {
				t.Errorf("%q leads nowhere", prefix)
			}
			for c := range 256 {
				if child := find(n, uint8(c)); child != 0 {
					walk(child, prefix+string([]byte{byte(c)}))
				}
			}
		}
		walk(root, "")
		for word, id := range words {
			if found[word] != id {
				t.Errorf("%q has id %d, want %d", word, found[word], id)
			}
			delete(found, word)
		}
		for word, id := range found {
			t.Errorf("%q with id %d is no word", word, id)
		}
	}
	if len(reached) != len(trie)-1 {
		t.Errorf("%d of %d nodes reached", len(reached), len(trie)-1)
	}
}

// What other files know of the words without asking the trie.
func TestTrieAssumptions(t *testing.T) {
	for word := range tries[trieMethods] {
		if len(word)+1 > len("GET / HTTP/1.1\r\n") {
			t.Errorf("methodWord may read beyond the shortest request-line: %s", word)
		}
	}
	for word := range tries[trieField] {
		if !strings.Contains("cptu", word[:1]) {
			t.Errorf("startName takes %s for a usual name", word)
		}
		for _, name := range anyCase(word) {
			if !asm.MayFrame(name[0], uintptr(len(name))) {
				t.Errorf("FieldLines misses %s", name)
			}
		}
	}
}

func TestHexValue(t *testing.T) {
	for c, got := range hexValue {
		want, err := strconv.ParseUint(string([]byte{byte(c)}), 16, 8)
		if err != nil {
			want = 0xff
		}
		if uint64(got) != want {
			t.Errorf("%#x: %d, want %d", c, got, want)
		}
	}
}

// Each method stands with a protocol, and nothing that is no method does.
func TestMethodProtocolTable(t *testing.T) {
	methods := strings.Fields(methodWords)
	for number, protocols := range methodProtocols {
		if (protocols != 0) != (number < len(methods)) || protocols&^(protocolHTTP|protocolRTSP|protocolICE) != 0 {
			t.Errorf("method %d: protocols %#x", number, protocols)
		}
	}
}

func TestLower(t *testing.T) {
	for c := range 256 {
		want := uint8(c)
		if 'A' <= c && c <= 'Z' {
			want += 'a' - 'A'
		}
		if got := lower(uint8(c)); got != want {
			t.Errorf("%#x: %#x", c, got)
		}
	}
}
