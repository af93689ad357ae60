// Command runner holds the documents of tests/cases against what llhttp-trace shows.
//
//	go run ./tests/cases/runner --trace build/bin/llhttp-trace tests/cases/*.md
//
// The format of the documents and the meaning of "as expected" are described in tests/cases/README.md.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

var (
	tracePath = flag.String("trace", "build/bin/llhttp-trace", "the llhttp-trace to run")
	update    = flag.Bool("update", false, "rewrite the logs of the documents from what the tool shows; for use with llhttp itself")
	reference = flag.Bool("reference", false, "the library is llhttp itself: skip cases marked 'reference: no'")
	splits    = flag.Bool("splits", true, "also cut each input in two, at every byte")
	list      = flag.String("list", "", "run nothing, and list the cases with this `verdict`")
	plans     = flag.Bool("plans", false, "run nothing: write the cases as plans of the differential test to standard output")
	only      = flag.String("only", "", "run only cases whose 'document: name' contains this")
	inputs    = flag.Bool("inputs", false, "run nothing; print each case's name, type, lenient flags and input (in base64), one JSON object a line")
	jobs      = flag.Int("jobs", runtime.NumCPU(), "processes at a time")
	batch     = flag.Bool("batch", false, "the tool is one that is started once for many runs, as tests/cases/README.md describes")
	plain     = flag.Bool("plain", false, "run only cases without rules and limits, for a tool that has no llhttp_ext.h")
)

// traceTool is what runs the cases.
var traceTool tool

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: runner [OPTION]... DOCUMENT...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "runner:", err)
		os.Exit(2)
	}
}

func run(paths []string) error {
	var cases []*testCase
	for _, path := range paths {
		if filepath.Base(path) == "README.md" {
			continue
		}
		found, err := readDocument(path)
		if err != nil {
			return err
		}
		for _, c := range found {
			if *plain && len(c.meta.rules)+len(c.meta.limits) > 0 {
				continue
			}
			if strings.Contains(c.String(), *only) && (c.meta.reference || !*reference && !*update) {
				cases = append(cases, c)
			}
		}
	}
	if *list != "" {
		for _, c := range cases {
			if c.meta.verdict.word == *list {
				fmt.Printf("%s:%d: %s\n", c.path, c.line, c.name)
			}
		}
		return nil
	}
	if len(cases) == 0 {
		return errors.New("no case to run")
	}
	if *plans {
		return writePlans(os.Stdout, cases)
	}
	if *inputs {
		return printInputs(cases)
	}
	// The tool may be a relative path with a separator; exec wants it to exist now, not at the first case.
	if _, err := exec.LookPath(*tracePath); err != nil {
		return fmt.Errorf("%w; ./build.sh run builds llhttp-trace", err)
	}
	traceTool = onceTool{*tracePath}
	if *batch {
		t, err := newBatchTool(*tracePath, max(*jobs, 1))
		if err != nil {
			return err
		}
		traceTool = t
		defer t.close()
	}
	if *update {
		return updateDocuments(cases)
	}

	results := make([]result, len(cases))
	var wait sync.WaitGroup
	slots := make(chan struct{}, max(*jobs, 1))
	for i, c := range cases {
		wait.Add(1)
		slots <- struct{}{}
		go func() {
			defer wait.Done()
			defer func() { <-slots }()
			results[i] = c.check()
		}()
	}
	wait.Wait()

	passed, failed, runs := 0, 0, 0
	for i, r := range results {
		runs += r.runs
		if r.failure == "" {
			passed++
			continue
		}
		failed++
		fmt.Printf("FAIL %s:%d: %s\n%s\n", cases[i].path, cases[i].line, cases[i].name, r.failure)
	}
	fmt.Printf("%d runs\n%d passed, %d failed\n", runs, passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
	return nil
}

// printInputs is for tests that give the cases to programs of their own.
func printInputs(cases []*testCase) error {
	out := json.NewEncoder(os.Stdout)
	for _, c := range cases {
		if err := out.Encode(map[string]any{
			"name": c.String(), "type": c.meta.kind, "lenient": c.meta.lenient, "input": c.input,
		}); err != nil {
			return err
		}
	}
	return nil
}

type result struct {
	runs    int
	failure string // empty: as expected
}

// check runs one case in one piece and holds it against the document, then in pieces, which must show the same.
func (c *testCase) check() (r result) {
	fail := func(m mode, format string, args ...any) result {
		r.failure = fmt.Sprintf("with %s\n", strings.Join(c.arguments(m), " ")) + fmt.Sprintf(format, args...)
		return r
	}
	if c.meta.verdict.word != "" {
		if wrong := c.meta.verdict.against(c.log); wrong != "" {
			return fail(mode{}, "%s", wrong)
		}
	}
	if c.meta.without != "" {
		if errno := errorName(c.log); errno != "" {
			return fail(mode{}, "without is for what the lenient flags make acceptable, and this ends with %s", errno)
		}
		strict := *c
		strict.meta.lenient = nil
		for _, m := range []mode{{}, {chunk: 1}} {
			runs, err := strict.trace(m)
			if err != nil {
				return fail(m, "without the lenient flags: %v", err)
			}
			r.runs++
			if log := render(runs[0].events); errorName(log) != c.meta.without {
				return fail(m, "without the lenient flags it should end with %s, but is\n%s", c.meta.without, log)
			}
		}
	}
	var whole []event
	for _, m := range modes(len(c.input)) {
		runs, err := c.trace(m)
		if err != nil {
			return fail(m, "%v", err)
		}
		r.runs += len(runs)
		for _, run := range runs {
			want, got := c.log, run.events
			if whole != nil {
				got = dropTail(run, whole)
				if m.noPause {
					want = render(withoutNotificationOffsets(whole))
				}
			}
			if log := render(got); log != want {
				return fail(m, "%s", run.cut+diff(want, log))
			}
		}
		if whole == nil {
			whole = runs[0].events
		}
	}
	return r
}

// mode is one way to feed an input. The zero value is the whole input at once.
type mode struct {
	chunk     int
	splitEach bool // several runs, one for each cut in two
	noPause   bool
}

// modes lists the ways to feed an input of this size, the whole first.
func modes(size int) []mode {
	list := []mode{{}, {noPause: true}}
	for _, chunk := range []int{1, 2, 3, 7, 16} {
		if chunk < size {
			list = append(list, mode{chunk: chunk})
		}
	}
	if size > 1 {
		list = append(list, mode{chunk: 1, noPause: true})
		if *splits {
			list = append(list, mode{splitEach: true})
		}
	}
	return list
}

func (c *testCase) arguments(m mode) []string {
	args := []string{"--json", "--type", c.meta.kind}
	for _, name := range c.meta.lenient {
		args = append(args, "--lenient", name)
	}
	for _, name := range c.meta.rules {
		args = append(args, "--rule", name)
	}
	for _, limit := range c.meta.limits {
		args = append(args, "--limit", limit)
	}
	args = append(args, c.meta.options...)
	if m.chunk > 0 {
		args = append(args, "--chunk", fmt.Sprint(m.chunk))
	}
	if m.splitEach {
		args = append(args, "--split", "each")
	}
	if m.noPause {
		args = append(args, "--no-pause")
	}
	return args
}

// trace runs the tool and returns its runs: one, or with splitEach as many as there are cuts.
func (c *testCase) trace(m mode) ([]traced, error) {
	out, status, err := traceTool.run(c.arguments(m), c.input)
	if err != nil {
		return nil, err
	}
	events, err := decode(out, c.seen)
	if err != nil {
		return nil, err
	}
	stopped := len(events) > 0 && events[len(events)-1].Event == "error"
	if (status != 0) != stopped {
		return nil, fmt.Errorf("the exit status does not agree with the last event")
	}
	return separate(events, m), nil
}
