// Random messages, changed here and there, in random pieces: the events that a parse returns, all of them or some, and
// callbacks, alone or beside them, must say the same, with the same results and the same state; and MessageParser the
// same however the input is cut. A case depends on the seed and its number alone; a failure names both.
// LLHTTP_DIFF_SEED: the seed; LLHTTP_RANDOM_COUNT: the number of cases.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { HTTPParser, HTTPParserError, LENIENT, MessageParser } = require('llhttpgo');
const { EVENTS } = require('../lib/tables_gen.js');

const seed = Number(process.env.LLHTTP_DIFF_SEED ?? Date.now()) >>> 0;
const count = Number(process.env.LLHTTP_RANDOM_COUNT ?? 1500);

const START_LINES = {
  [HTTPParser.REQUEST]: [
    'GET / HTTP/1.1',
    'POST /a?b=c#d HTTP/1.1',
    'HEAD http://a.b:1/ HTTP/1.0',
    'CONNECT a:443 HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'DESCRIBE /x RTSP/1.0',
    'PRI * HTTP/2.0',
    'GET /0',
  ],
  [HTTPParser.RESPONSE]: [
    'HTTP/1.1 200 OK',
    'HTTP/1.0 404 Not Found',
    'HTTP/1.1 204',
    'HTTP/1.1 101 Switching Protocols',
    'HTTP/1.1 304 ',
  ],
};
const FIELDS = [
  'Host: example.com',
  'Connection: close',
  'Connection: keep-alive, Upgrade',
  'Upgrade: x',
  'Content-Length: 3',
  'Content-Length: 12',
  'Content-Length: 18446744073709551615',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: gzip',
  'Set-Cookie: a=1',
  'X-A-Name-Of-Its-Own:\t value \t',
  'Empty:',
  'Folded: a\r\n  b',
  'Expect: 100-continue',
];
const BODIES = ['', 'abc', 'hello world!', '3;a=b;c="d"\r\nabc\r\n0\r\nT: u\r\n\r\n', '0\r\n\r\n', '1\r\na\r\nff\r\n'];
const ODD = Buffer.from('\0\t\n\r :,;="\\\x7f\x80\xff/?#@x0Hh9\x0b', 'latin1');

// mulberry32: numbers below n.
function random(state) {
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  };
}

function makeInput(kind, below) {
  const oneOf = (list) => list[below(list.length)];
  let text = '';
  for (let messages = 1 + below(3); messages > 0; messages--) {
    text += `${oneOf(START_LINES[kind])}\r\n`;
    // So many now and then that their events do not fit into the memory which is lent to the addon.
    const fields = below(100) === 0 ? 300 : below(6);
    for (let i = 0; i < fields; i++) text += `${oneOf(FIELDS.slice(fields === 300 ? 10 : 0))}\r\n`;
    text += `\r\n${oneOf(BODIES)}`;
  }
  const input = Buffer.from(text, 'latin1');
  for (let changes = below(2) ? 0 : 1 + below(3); changes > 0; changes--) {
    input[below(input.length)] = ODD[below(ODD.length)];
  }
  return input;
}

function cut(input, below) {
  const most = [input.length, 1, 5, 40][below(4)];
  const pieces = [];
  for (let from = 0; from < input.length;) {
    const end = Math.min(input.length, from + (most === input.length ? most : 1 + below(most)));
    pieces.push(input.subarray(from, end));
    from = end;
  }
  return pieces;
}

function stateOf(parser) {
  const { type, method, statusCode, httpMajor, httpMinor, flags, contentLength } = parser;
  const { upgrade, shouldKeepAlive, messageNeedsEof, lenientFlags, code, reason, bytesParsed } = parser;
  return {
    ...{ type, method, statusCode, httpMajor, httpMinor, flags, contentLength },
    ...{ upgrade, shouldKeepAlive, messageNeedsEof, lenientFlags, code, reason, bytesParsed },
    rest: parser.rest.length,
  };
}

// Goes through all pieces, and the end of the connection if there is no error before. Gives the events that are returned,
// each by plain, and the state after each call.
function run(parser, pieces, plain, setStart = () => {}) {
  const events = [];
  const states = [];
  let start = 0;
  const call = (what) => {
    let found;
    let thrown = null;
    setStart(start);
    try {
      found = what();
    } catch (error) {
      if (!(error instanceof HTTPParserError)) throw error;
      found = error.events;
      thrown = error.code;
    }
    events.push(...found.map((event) => plain(event, start)));
    states.push({ ...stateOf(parser), thrown });
    return parser.code;
  };
  for (const piece of pieces) {
    let rest = piece;
    for (;;) {
      const code = call(() => parser.execute(rest));
      start += parser.bytesParsed;
      if (code === 'HPE_OK') break;
      if (code !== 'HPE_PAUSED_UPGRADE') return { events, states };
      parser.resumeAfterUpgrade();
      ({ rest } = parser);
      if (rest.length === 0) break;
    }
  }
  call(() => parser.finish());
  return { events, states };
}

function plainEvent(event, start) {
  const { type, data, offset } = event;
  return data === undefined ? { ...event } : { type, offset: start + offset, text: data.toString('latin1') };
}

// Callbacks for some of the events, which put what they are told on a list.
function recorder(names, choice) {
  const called = [];
  let start = 0;
  const callbacks = {};
  for (const { name, callback, span } of EVENTS.filter((event) => names.has(event.name))) {
    if (span) {
      callbacks[callback] = (data, offset) => {
        called.push({ type: name, offset: start + offset, text: data.toString('latin1') });
      };
    } else if (name === 'headersComplete' || name === 'messageComplete') {
      callbacks[callback] = (info) => {
        called.push({ ...info });
        return name === 'headersComplete' ? choice : 0;
      };
    } else if (name === 'chunkHeader') {
      callbacks[callback] = (size) => {
        called.push({ type: name, size });
      };
    } else {
      callbacks[callback] = () => {
        called.push({ type: name });
      };
    }
  }
  return { called, callbacks, setStart: (at) => (start = at) };
}

const ALL = new Set(EVENTS.map(({ name }) => name));

function someOf(below) {
  return new Set([...ALL].filter(() => below(2)));
}

let underWay; // what check has made, to show

function check(below) {
  const kind = below(2) ? HTTPParser.REQUEST : HTTPParser.RESPONSE;
  const type = below(6) === 0 ? HTTPParser.BOTH : kind;
  const lenient = below(2) ? 0 : Object.values(LENIENT).reduce((bits, bit) => bits | (below(2) ? bit : 0), 0);
  const choice = below(4) === 0 ? below(3) : 0;
  const input = makeInput(kind, below);
  const pieces = cut(input, below);
  underWay = { type, lenient, choice, pieces };

  const all = recorder(ALL, choice);
  const called = new HTTPParser(type, { lenient, callbacks: all.callbacks, events: false });
  const wanted = run(called, pieces, plainEvent, all.setStart);
  assert.deepEqual(wanted.events, []);

  const same = (options, names, how) => {
    const found = run(new HTTPParser(type, { lenient, ...options }), pieces, plainEvent, how?.setStart);
    const expected = all.called.filter(({ type: name }) => names.has(name));
    assert.deepEqual(found.events, expected);
    assert.deepEqual(found.states, wanted.states);
  };
  if (choice === 0) {
    same({ events: true }, ALL);
    const some = someOf(below);
    same({ events: [...some] }, some);
  }
  // Both at once: a callback says how the message goes on, so it is there if there is something to say.
  const names = someOf(below);
  if (choice !== 0) names.add('headersComplete');
  const beside = recorder(names, choice);
  const returned = someOf(below);
  same({ callbacks: beside.callbacks, events: [...returned] }, returned, beside);
  assert.deepEqual(
    beside.called,
    all.called.filter(({ type: name }) => names.has(name)),
  );

  // Bodies come in pieces, all else as it is.
  const messages = (cutInput) => {
    const { events, states } = run(new MessageParser(type, { lenient, maxHeadSize: 1e9 }), cutInput, (event) => event);
    const bodies = events.filter((event) => event.type === 'body').map(({ data }) => data);
    const heads = events.filter((event) => event.type !== 'body');
    return { heads, bodies: Buffer.concat(bodies), code: states.at(-1).code };
  };
  assert.deepEqual(messages(pieces), messages([input]));
}

test(`random messages, seed ${seed}`, () => {
  for (let number = 0; number < count; number++) {
    try {
      check(random((seed + number) | 0));
    } catch (error) {
      const about = JSON.stringify({ ...underWay, pieces: underWay.pieces.map((piece) => piece.toString('latin1')) });
      error.message = `LLHTTP_DIFF_SEED=${(seed + number) >>> 0} LLHTTP_RANDOM_COUNT=1: ${error.message}\n${about}`;
      throw error;
    }
  }
});
