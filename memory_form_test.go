package llhttpgo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// memory.go says why its functions are sound; that rests on their form, which is checked here. What goes wrong
// otherwise is seldom seen: the bytes of a stack that has moved stay where they were until something else needs the
// place.
func TestMemoryForm(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	checked := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			converts, calls := takesAddresses(f)
			if name != "memory.go" {
				if converts {
					t.Errorf("%s: %s makes a number of a pointer", name, f.Name.Name)
				}
				continue
			}
			if !converts || f.Name.Name == "bytesAt" {
				continue
			}
			checked++
			if f.Doc == nil || !strings.Contains(f.Doc.List[len(f.Doc.List)-1].Text, "//go:noinline") {
				t.Errorf("%s may be inlined", f.Name.Name)
			}
			core := 0
			for _, call := range calls {
				switch {
				case strings.HasPrefix(call, "core."):
					core++
				case strings.HasPrefix(call, "unsafe."), call == "runtime.KeepAlive", call == "bytesAt", call == "len", call == "int", call == "uintptr",
					call == "FieldID":
				default:
					t.Errorf("%s calls %s while it holds an address", f.Name.Name, call)
				}
			}
			if core != 1 {
				t.Errorf("%s calls core %d times", f.Name.Name, core)
			}
		}
	}
	if checked < 8 {
		t.Errorf("only %d functions are checked", checked)
	}
}

// takesAddresses tells whether a function makes numbers of pointers, and what it calls.
func takesAddresses(f *ast.FuncDecl) (converts bool, calls []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := "?"
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			name = fun.Name
		case *ast.SelectorExpr:
			if x, ok := fun.X.(*ast.Ident); ok {
				name = x.Name + "." + fun.Sel.Name
			}
		}
		if name == "bytesAt" {
			converts = true
		}
		if name == "uintptr" {
			if inner, ok := call.Args[0].(*ast.CallExpr); ok {
				if s, ok := inner.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Pointer" {
					converts = true
				}
			}
		}
		// A conversion to a pointer type, in parentheses, is no call.
		if _, ok := call.Fun.(*ast.ParenExpr); !ok {
			calls = append(calls, name)
		}
		return true
	})
	return converts, calls
}
