#!/usr/bin/env node
// Takes llhttp-trace's place in tests/cases/runner, so that the documents of tests/cases are run by HTTPParser.
// tools/trace/parse.c says why it pauses at notifications; tests/cases/README.md has the form of requests and answers.
'use strict';

const readline = require('node:readline');
const { parseArgs } = require('node:util');
const { HTTPParser, HTTPParserError, ERRNO, FLAGS, LENIENT } = require('llhttpgo');
const { EVENTS } = require('../lib/tables_gen.js');

const TYPES = { request: HTTPParser.REQUEST, response: HTTPParser.RESPONSE, both: HTTPParser.BOTH };

function camel(name) {
  return name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}

function snake(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

// JSON has no bigint, but its numbers may have any length.
function toJSON(object) {
  const bigint = Object.entries(object).find(([, value]) => typeof value === 'bigint');
  if (bigint === undefined) return JSON.stringify(object);
  const [name, value] = bigint;
  return `${JSON.stringify({ ...object, [name]: undefined }).slice(0, -1)},"${name}":${value}}`;
}

// One parse: the lines, and whether it succeeded.
class Trace {
  lines = [];
  #options;
  #parser;
  #input;
  #start = 0; // of what is being executed
  #pending = []; // notifications whose offset is not known yet
  #finishing = false;

  constructor(options, input) {
    this.#options = options;
    this.#input = input;
    const callbacks = Object.fromEntries(
      EVENTS.map(({ name, callback, span }) => [
        callback,
        span
          ? (data, offset) =>
              this.#print({
                event: `on_${snake(name)}`,
                offset: this.#start + offset,
                length: data.length,
                text: data.toString('latin1'),
              })
          : () => this.#notification(name),
      ]),
    );
    const lenient = (options.lenient ?? []).flatMap((name) => (name === 'all' ? Object.keys(LENIENT) : [camel(name)]));
    this.#parser = new HTTPParser(TYPES[options.type], { callbacks, lenient });
  }

  #print(line) {
    this.lines.push(toJSON(line));
  }

  #notification(name) {
    const parser = this.#parser;
    const line = { event: `on_${snake(name)}`, offset: undefined };
    if (name === 'headersComplete') {
      line.type = Object.keys(TYPES).find((type) => TYPES[type] === parser.type);
      if (parser.type === HTTPParser.RESPONSE) line.status = parser.statusCode;
      else line.method = parser.method;
      line.version = `${parser.httpMajor}.${parser.httpMinor}`;
      line.flags = Object.keys(FLAGS).filter((flag) => parser.flags & FLAGS[flag]);
    }
    if (name === 'headersComplete' || name === 'chunkHeader') line.content_length = parser.contentLength;
    if (name === 'headersComplete' || name === 'messageComplete') {
      line.upgrade = parser.upgrade;
      line.keep_alive = parser.shouldKeepAlive;
    }
    this.#pending.push(line);
    let result = 0;
    if (name === 'headersComplete') result = this.#options['skip-body'] ? 1 : this.#options.upgrade ? 2 : 0;
    if (this.#options['no-pause']) this.#flush(undefined);
    else if (this.#finishing) this.#flush(this.#input.length);
    else if (result === 0) return ERRNO.HPE_PAUSED;
    return result;
  }

  #flush(offset) {
    for (const line of this.#pending) this.#print({ ...line, offset });
    this.#pending = [];
  }

  // Runs execute or finish. Returns 'done', 'again' after a pause, or 'stopped' after a line that says why.
  #attempt(call) {
    const parser = this.#parser;
    let failure;
    try {
      call();
    } catch (error) {
      if (!(error instanceof HTTPParserError)) throw error;
      failure = error;
    }
    const at = (this.#start += this.#finishing ? 0 : parser.bytesParsed);
    if (failure === undefined && ['HPE_OK', 'HPE_PAUSED'].includes(parser.code)) {
      if (parser.code === 'HPE_OK') return 'done';
      this.#flush(at);
      parser.resume();
      return 'again';
    }
    this.#flush(at);
    if (failure === undefined) {
      this.#print({
        event: 'upgrade',
        offset: at,
        errno: parser.code,
        reason: parser.reason,
        rest: this.#input.length - at,
      });
      if (!this.#options['ignore-upgrade'] || parser.code !== 'HPE_PAUSED_UPGRADE') return 'stopped';
      parser.resumeAfterUpgrade();
      return 'again';
    }
    const before = this.#input.toString('latin1', 0, at).split('\n');
    this.#print({
      event: 'error',
      offset: at,
      errno: failure.code,
      reason: failure.reason,
      line: before.length,
      column: before.at(-1).length + 1,
    });
    this.failed = true;
    return 'stopped';
  }

  // Parses input in pieces that end at the given offsets.
  run(ends) {
    const parser = this.#parser;
    for (const end of ends) {
      let outcome;
      do {
        outcome = this.#attempt(() => parser.execute(this.#input.subarray(this.#start, end)));
        if (outcome === 'stopped') return this;
      } while (outcome === 'again');
    }
    if (!this.#options.finish) return this;
    this.#finishing = true;
    if (this.#attempt(() => parser.finish()) === 'done')
      this.#print({ event: 'finish', offset: this.#input.length, errno: 'HPE_OK' });
    return this;
  }
}

// The lines of a run of llhttp-trace.
function traceAll(args, input) {
  const { values: options } = parseArgs({
    args,
    options: {
      type: { type: 'string', default: 'both' },
      lenient: { type: 'string', multiple: true },
      chunk: { type: 'string' },
      split: { type: 'string' },
      finish: { type: 'boolean' },
      'skip-body': { type: 'boolean' },
      upgrade: { type: 'boolean' },
      'ignore-upgrade': { type: 'boolean' },
      'no-pause': { type: 'boolean' },
      json: { type: 'boolean' },
    },
  });
  if (options.split === 'each') {
    const cuts = Array.from({ length: Math.max(input.length - 1, 0) }, (_, i) => i + 1);
    const traces = cuts.map((cut) => new Trace(options, input).run([cut, input.length]));
    const lines = traces.flatMap((trace, i) => [toJSON({ event: 'split', offset: cuts[i] }), ...trace.lines]);
    return { lines, failed: traces.some(({ failed }) => failed) };
  }
  const size = Number(options.chunk ?? input.length);
  const ends = [];
  for (let end = size; end < input.length; end += size) ends.push(end);
  return new Trace(options, input).run(input.length === 0 ? [] : [...ends, input.length]);
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const args = line.split('\t');
  const { lines, failed } = traceAll(args.slice(0, -1), Buffer.from(args.at(-1), 'hex'));
  process.stdout.write(`${[...lines, JSON.stringify({ status: failed ? 1 : 0 })].join('\n')}\n`);
});
