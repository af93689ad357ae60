package main

import "fmt"

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
	for _, f := range connectionOptions {
		roots[4].Words = append(roots[4].Words, trieWord{f.Word, fieldKindValue(f.Kind)})
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
