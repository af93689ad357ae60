package main

import (
	"fmt"
	"strings"
)

// Prefix trees. All of them lie in one array; a root is a node that only points to its first child, so that every
// position inside a word, the start included, is the number of a node.

type trieNode struct {
	Char, ID       int
	Child, Sibling int // numbers of nodes, 0 for none
	Prefix         string
}

// A trieRoot is one tree: the constant that names its root, and its words.
type trieRoot struct {
	Name  string
	Doc   string
	Words []trieWord
	Node  int
}

type trieWord struct {
	Word string
	ID   int
}

func trieRoots() []*trieRoot {
	roots := []*trieRoot{
		{Name: "trieMethods", Doc: "request methods; ids are method + 1"},
		{Name: "trieMethodOrProtocol", Doc: "what begins with 'H' when request or response is still open: id of HEAD, or 255 for HTTP/"},
		{Name: "trieProtocol", Doc: "protocol names of a request-line; ids are protocol bits"},
		{Name: "trieField", Doc: "field names that steer the parse, lower-case; ids are field kinds"},
		{Name: "trieRuledField", Doc: "field names that steer the parse or that rules look for, lower-case; ids are field kinds"},
		{Name: "trieConnection", Doc: "connection options that steer the parse, lower-case; ids are field kinds"},
	}
	for _, m := range methods {
		roots[0].Words = append(roots[0].Words, trieWord{m.Wire, m.Value + 1})
		if m.Name == "HEAD" {
			roots[1].Words = append(roots[1].Words, trieWord{m.Wire, m.Value + 1})
		}
	}
	roots[1].Words = append(roots[1].Words, trieWord{"HTTP/", 255})
	roots[2].Words = []trieWord{{"HTTP", int(protoHTTP)}, {"RTSP", int(protoRTSP)}, {"ICE", int(protoICE)}}
	for _, f := range fieldNames {
		roots[3].Words = append(roots[3].Words, trieWord{f.Word, fieldKindValue(f.Kind)})
	}
	for _, f := range append(append([]fieldWord{}, fieldNames...), ruledFieldNames...) {
		roots[4].Words = append(roots[4].Words, trieWord{f.Word, fieldKindValue(f.Kind)})
	}
	for _, f := range connectionOptions {
		roots[5].Words = append(roots[5].Words, trieWord{f.Word, fieldKindValue(f.Kind)})
	}
	return roots
}

// buildTrie lays the trees out. Siblings keep the order in which their words come.
func buildTrie() ([]trieNode, []*trieRoot) {
	nodes := []trieNode{{}} // 0 is "no node"
	roots := trieRoots()
	for _, root := range roots {
		root.Node = len(nodes)
		nodes = append(nodes, trieNode{Prefix: root.Name})
		for _, w := range root.Words {
			at := root.Node
			for i := range len(w.Word) {
				at = descend(&nodes, at, int(w.Word[i]), w.Word[:i+1])
			}
			if nodes[at].ID != 0 {
				panic(fmt.Sprintf("%s: word %q twice", root.Name, w.Word))
			}
			nodes[at].ID = w.ID
		}
	}
	return nodes, roots
}

// descend returns the child of a node for one byte, made if need be.
func descend(nodes *[]trieNode, at, char int, prefix string) int {
	last := 0
	for child := (*nodes)[at].Child; child != 0; child = (*nodes)[child].Sibling {
		if (*nodes)[child].Char == char {
			return child
		}
		last = child
	}
	made := len(*nodes)
	*nodes = append(*nodes, trieNode{Char: char, Prefix: prefix})
	if last == 0 {
		(*nodes)[at].Child = made
	} else {
		(*nodes)[last].Sibling = made
	}
	return made
}

// watchTable makes of the tree trieRuledField an automaton that finds its words anywhere in a text (Aho and
// Corasick). A place is the number of a node less the root's. The table gives for each the place from which to go on
// if no child has the next byte: the longest proper suffix of its prefix that is a prefix, too. 0x80 is added where a
// word ends.
func watchTable(nodes []trieNode, roots []*trieRoot) (table []int) {
	root, end := 0, 0
	for i, r := range roots {
		if r.Name == "trieRuledField" {
			root, end = r.Node, roots[i+1].Node
		}
	}
	for n := root; n < end; n++ {
		entry := 0
		prefix := nodes[n].Prefix
		if n == root {
			prefix = ""
		}
		for start := 1; start < len(prefix) && entry == 0; start++ {
			for m := root + 1; m < end; m++ {
				if nodes[m].Prefix == prefix[start:] {
					entry = m - root
				}
			}
		}
		for m := root + 1; m < end; m++ {
			if nodes[m].ID != 0 && strings.HasSuffix(prefix, nodes[m].Prefix) {
				entry |= 0x80
			}
		}
		table = append(table, entry)
	}
	return table
}
