'use strict';
// What the scripts of this folder share: facts, which library is in use, and connections that bytes can be sent on.
//
// A script prints JSON lines. {"fact": NAME, "value": VALUE} is something it saw; the same must come out with llhttp
// and with this library, so nothing in it may depend on time, ports or scheduling. {"library": ROLE, "paths": [...]}
// is which files named libllhttp a process has mapped. A fact that is not what it must be is told on stderr and makes
// the exit status 1.

const fs = require('node:fs');
const net = require('node:net');
const { Duplex } = require('node:stream');
const { isDeepStrictEqual } = require('node:util');

function print(object) {
  process.stdout.write(`${JSON.stringify(object)}\n`);
}

function fact(name, value) {
  print({ fact: name, value });
}

function expect(name, value, wanted) {
  fact(name, value);
  if (isDeepStrictEqual(value, wanted)) return;
  process.stderr.write(`${name}: got\n  ${JSON.stringify(value)}\nwant\n  ${JSON.stringify(wanted)}\n`);
  process.exitCode = 1;
}

// The last line of every script is one of these.
function library(role, pid = 'self') {
  print({ library: role, paths: mapped(pid) });
}

function mapped(pid = 'self') {
  const paths = fs.readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/\S*libllhttp\S*/g);
  return [...new Set(paths)].sort();
}

function option(name, otherwise) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
}

// The options of node:http for a degree of strictness.
function validating(validation) {
  return validation === 'insecure' ? { insecureHTTPParser: true } : { httpValidation: validation };
}

// The cases of tests/cases: { name, bytes }. --cases FILE has them. With lenient_header_value_relaxed llhttp does not
// return from a NUL in a field value, so such cases are left out; nul.js has one.
function cases(type, validation) {
  return fs
    .readFileSync(option('cases'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((c) => c.type === type || c.type === 'both')
    .map((c) => ({ name: c.name, bytes: Buffer.from(c.input, 'base64') }))
    .filter((c) => validation !== 'relaxed' || !c.bytes.includes(0));
}

// One end of a connection in memory. What is fed arrives in just these pieces.
class Wire extends Duplex {
  constructor() {
    super({ allowHalfOpen: true });
    this.written = [];
    this.waiting = [];
  }
  _read() {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
  _write(chunk, encoding, done) {
    this.written.push(chunk);
    this.emit('sent');
    done();
  }
  // What an http.Agent or http.Server may want of a socket.
  setTimeout() {
    return this;
  }
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }

  async feed(bytes, size = bytes.length || 1) {
    for (let at = 0; at < bytes.length && !this.destroyed; at += size) {
      if (!this.push(bytes.subarray(at, at + size))) await new Promise((resolve) => this.waiting.push(resolve));
    }
    if (!this.destroyed) this.push(null);
  }
  get output() {
    return text(Buffer.concat(this.written));
  }
}

function text(bytes) {
  return bytes.toString('latin1').replace(/^Date: .*\r\n/gim, '');
}

function listen(server) {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
}

function closed(stream) {
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once('close', resolve);
  });
}

// Sends bytes to a server, says that there are no more unless `end` is false, and returns what came back before the
// server closed.
function exchange(port, bytes, { end = true } = {}) {
  return new Promise((resolve) => {
    const received = [];
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', () => {}); // a reset is a way to close; what came before it counts
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(text(Buffer.concat(received))));
    if (end) socket.end(bytes);
    else socket.write(bytes);
  });
}

// What is worth comparing of an error of the parser.
function problem(err) {
  return {
    code: err.code,
    message: err.message,
    reason: err.reason,
    bytesParsed: err.bytesParsed,
    rawPacket: err.rawPacket && err.rawPacket.toString('latin1'),
  };
}

// Events of one connection, in order, with the body joined.
class Log {
  constructor() {
    this.events = [];
  }
  add(event, value) {
    this.events.push(value === undefined ? [event] : [event, value]);
  }
  // Follows an IncomingMessage to its end.
  message(kind, message, then) {
    this.add(kind, {
      method: message.method,
      url: message.url,
      statusCode: message.statusCode,
      statusMessage: message.statusMessage,
      httpVersion: message.httpVersion,
      rawHeaders: message.rawHeaders,
      upgrade: message.upgrade,
    });
    const body = [];
    message.on('data', (chunk) => body.push(chunk));
    message.on('end', () => {
      this.add('end', {
        body: Buffer.concat(body).toString('latin1'),
        rawTrailers: message.rawTrailers,
        complete: message.complete,
      });
      then?.();
    });
    message.on('error', (err) =>
      this.add('failed', {
        body: Buffer.concat(body).toString('latin1'),
        complete: message.complete,
        error: problem(err),
      }),
    );
  }
}

module.exports = {
  Log,
  Wire,
  cases,
  closed,
  exchange,
  expect,
  fact,
  library,
  listen,
  mapped,
  option,
  problem,
  text,
  validating,
};
