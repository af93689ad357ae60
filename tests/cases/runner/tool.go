package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// A run of the tool that takes longer has failed.
const patience = 20 * time.Second

// tool runs llhttp-trace, or what takes its place, and returns its output and exit status.
type tool interface {
	run(arguments []string, input []byte) (out string, status int, err error)
}

// onceTool starts a process for every run.
type onceTool struct{ path string }

func (t onceTool) run(arguments []string, input []byte) (string, int, error) {
	context, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	command := exec.CommandContext(context, t.path, arguments...)
	command.Stdin = bytes.NewReader(input)
	var out, complaint strings.Builder
	command.Stdout, command.Stderr = &out, &complaint
	err := command.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return out.String(), 1, nil
	}
	if err != nil {
		return "", 0, fmt.Errorf("%v %s", err, complaint.String())
	}
	return out.String(), 0, nil
}

// batchTool keeps processes that do one run after the other, for tools that take long to start. Such a process reads
// one request per line, {"arguments": [...], "input": "base64"}, and answers with what a run prints and a line
// {"status": 0 or 1}.
type batchTool struct{ idle chan *batchProcess }

type batchProcess struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func newBatchTool(path string, count int) (*batchTool, error) {
	t := &batchTool{idle: make(chan *batchProcess, count)}
	for range count {
		p := &batchProcess{command: exec.Command(path, "--batch")}
		var err error
		if p.in, err = p.command.StdinPipe(); err != nil {
			return nil, err
		}
		out, err := p.command.StdoutPipe()
		if err != nil {
			return nil, err
		}
		p.out = bufio.NewReader(out)
		var complaint strings.Builder
		p.command.Stderr = &complaint
		if err := p.command.Start(); err != nil {
			return nil, err
		}
		t.idle <- p
	}
	return t, nil
}

func (t *batchTool) run(arguments []string, input []byte) (string, int, error) {
	p := <-t.idle
	defer func() { t.idle <- p }()
	kill := time.AfterFunc(patience, func() { p.command.Process.Kill() })
	defer kill.Stop()
	request, err := json.Marshal(map[string]any{"arguments": arguments, "input": input})
	if err != nil {
		return "", 0, err
	}
	if _, err := p.in.Write(append(request, '\n')); err != nil {
		return "", 0, fmt.Errorf("the tool has ended: %v", err)
	}
	var out strings.Builder
	for {
		line, err := p.out.ReadString('\n')
		if err != nil {
			return "", 0, fmt.Errorf("the tool has ended: %v %v", err, p.command.Stderr)
		}
		if !strings.HasPrefix(line, `{"status":`) {
			out.WriteString(line)
			continue
		}
		var answer struct{ Status int }
		err = json.Unmarshal([]byte(line), &answer)
		return out.String(), answer.Status, err
	}
}

// close ends the processes.
func (t *batchTool) close() error {
	var failure error
	for range cap(t.idle) {
		p := <-t.idle
		p.in.Close()
		if err := p.command.Wait(); err != nil {
			failure = err
		}
	}
	return failure
}
