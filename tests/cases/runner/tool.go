package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
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

// batchTool keeps processes that do one run after the other, since most of the time of a run is that of starting a
// process. README.md has the form of requests and answers.
type batchTool struct {
	path string
	idle chan *batchProcess
}

type batchProcess struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func newBatchTool(path string, count int) (*batchTool, error) {
	t := &batchTool{path, make(chan *batchProcess, count)}
	for range count {
		p, err := t.start()
		if err != nil {
			return nil, err
		}
		t.idle <- p
	}
	return t, nil
}

func (t *batchTool) start() (*batchProcess, error) {
	p := &batchProcess{command: exec.Command(t.path, "--batch")}
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	p.command.Stderr = new(strings.Builder)
	return p, p.command.Start()
}

// run: a process that does not answer is followed by another one, so that the failure is that of one run.
func (t *batchTool) run(arguments []string, input []byte) (string, int, error) {
	p := <-t.idle
	defer func() { t.idle <- p }()
	out, status, err := p.run(arguments, input)
	if err != nil {
		p.command.Process.Kill()
		p.command.Wait()
		err = fmt.Errorf("the tool has ended: %v %v", err, p.command.Stderr)
		var failure error
		if p, failure = t.start(); failure != nil {
			return "", 0, failure
		}
	}
	return out, status, err
}

func (p *batchProcess) run(arguments []string, input []byte) (string, int, error) {
	kill := time.AfterFunc(patience, func() { p.command.Process.Kill() })
	defer kill.Stop()
	request := strings.Join(append(slices.Clone(arguments), hex.EncodeToString(input)), "\t") + "\n"
	if _, err := io.WriteString(p.in, request); err != nil {
		return "", 0, err
	}
	var out strings.Builder
	for {
		line, err := p.out.ReadString('\n')
		if err != nil {
			return "", 0, err
		}
		if !strings.HasPrefix(line, `{"status":`) {
			out.WriteString(line)
			continue
		}
		var answer struct{ Status int }
		err = json.Unmarshal([]byte(line), &answer)
		if err == nil && answer.Status > 1 {
			err = fmt.Errorf("exit status %d", answer.Status)
		}
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
