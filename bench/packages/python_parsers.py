"""Prints samples of parsers for Python: JSON, one object {name: nanoseconds per request} for each round.

    python_parsers.py INPUT ROUNDS

INPUT is a file with one request. Each parser makes the same of it: method, target, list of fields, body.
"""

import json
import random
import sys
import time
from pathlib import Path

import httptools
from llhttpgo import COMPILED, Body, EventParser, ParserType, Request, parse_request
from llhttpgo._request import pure_parse_request

SAMPLE = 1_000_000  # nanoseconds


def with_httptools():
    class Protocol:
        def on_message_begin(self):
            self.headers, self.body = [], b""

        def on_url(self, url):
            self.url = url

        def on_header(self, name, value):
            self.headers.append((name, value))

        def on_body(self, body):
            self.body += body

        def on_message_complete(self):
            self.request = (parser.get_method(), self.url, self.headers, self.body)

    protocol = Protocol()
    parser = httptools.HttpRequestParser(protocol)

    def parse(data):
        parser.feed_data(data)
        return protocol.request

    return parse


def with_events():
    parser = EventParser(ParserType.REQUEST)

    def parse(data):
        body = b""
        for event in parser.feed(data):
            if type(event) is Request:
                head = event
            elif type(event) is Body:
                body += event.data
        return head.method, head.url, head.headers, body

    return parse


def normal(result):
    method, url, headers, body = result
    return (method if isinstance(method, bytes) else method.encode(), url, list(headers), body)


def of_whole(parse):
    return lambda data: (lambda r: (r.method, r.url, r.headers, r.body))(parse(data))


def main():
    data, rounds = Path(sys.argv[1]).read_bytes(), int(sys.argv[2])
    parsers = {"httptools": with_httptools(), "parse_request, ctypes": pure_parse_request, "EventParser": with_events()}
    if COMPILED:
        parsers["parse_request"] = parse_request
    answers = {
        name: normal((of_whole(parse) if "parse_request" in name else parse)(data)) for name, parse in parsers.items()
    }
    for name, answer in answers.items():
        if answer != answers["httptools"]:
            sys.exit(f"{name} gives another answer: {answer}")
    counts = {}
    for name, parse in parsers.items():
        begin = time.perf_counter_ns()
        for _ in range(2000):
            parse(data)
        counts[name] = max(1, SAMPLE * 2000 // (time.perf_counter_ns() - begin))
    names = list(parsers)
    for _ in range(rounds):
        random.shuffle(names)
        sample = {}
        for name in names:
            parse, count = parsers[name], counts[name]
            begin = time.thread_time_ns()
            for _ in range(count):
                parse(data)
            sample[name] = (time.thread_time_ns() - begin) / count
        print(json.dumps(sample))


main()
