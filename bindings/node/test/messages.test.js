// MessageParser: the same as the events of HTTPParser put together, however the input is cut; its bound, its errors.
'use strict';

const assert = require('node:assert/strict');
const { describe, test } = require('node:test');
const { HTTPParser, HTTPParserError, MessageParser } = require('llhttpgo');

const { BOTH, REQUEST, RESPONSE } = HTTPParser;

const INPUTS = [
  [REQUEST, 'GET / HTTP/1.1\r\n\r\n'],
  [
    REQUEST,
    '\r\nPOST /a?b HTTP/1.1\r\nHost: x\r\nA:\t b \t\r\nEmpty:\r\nContent-Length: 3\r\n\r\nabc' +
      'GET /2 HTTP/1.0\r\nB:  \r\n\r\n',
  ],
  [REQUEST, 'PUT /e HTTP/1.1\r\n\r\nGET /f HTTP/1.1\r\nName: caf\xe9\r\n\r\n'],
  [
    REQUEST,
    'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '3;a=b\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nT: u \r\nV:\r\n\r\n',
  ],
  [REQUEST, 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\ntunnel'],
  [RESPONSE, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 404 Not Found\r\nX: y\r\n\r\nuntil the end'],
  [RESPONSE, 'HTTP/1.0 200 \r\nContent-Length: 0\r\n\r\n'],
  [BOTH, 'HTTP/1.1 204 No Content\r\nA: b\r\n\r\n'],
  [REQUEST, `GET / HTTP/1.1\r\n${'Some-Name: and its value\r\n'.repeat(1500)}\r\n`, [7, 997]],
  [REQUEST, `POST /${'x'.repeat(5000)} HTTP/1.1\r\nContent-Length: 9000\r\n\r\n${'b'.repeat(9000)}`, [1000]],
];

// What a MessageParser should say, from the events of an HTTPParser that gets everything at once.
function expected(type, input) {
  const parser = new HTTPParser(type);
  const all = [];
  let text = '';
  let fields = [];
  for (const event of [...parser.execute(input), ...parser.finish()]) {
    if (event.type === 'url' || event.type === 'status') text = String(event);
    else if (event.type === 'headerField') fields.push(String(event));
    else if (event.type === 'headerValue') fields.push(String(event).replace(/[ \t]+$/, ''));
    else if (event.type === 'headersComplete') {
      const { method, statusCode } = event;
      const isRequest = method !== null;
      assert.notEqual(isRequest, statusCode !== null);
      const texts = { url: isRequest ? text : null, statusMessage: isRequest ? null : text };
      all.push({ ...event, type: 'head', ...texts, headers: fields });
      [text, fields] = ['', []];
    } else if (event.type === 'body') {
      all.push({ type: 'body', data: String(event) });
    } else if (event.type === 'messageComplete') {
      const { upgrade, shouldKeepAlive } = event;
      all.push({ type: 'messageComplete', trailers: fields, upgrade, shouldKeepAlive });
      fields = [];
    }
  }
  return joined(all);
}

function plain(event) {
  return event.type === 'body' ? { type: 'body', data: String(event) } : { ...event };
}

// Pieces of a body that follow each other as one.
function joined(events) {
  const result = [];
  for (const event of events) {
    const last = result.at(-1);
    if (event.type === 'body' && last?.type === 'body') last.data += event.data;
    else result.push(event);
  }
  return result;
}

describe('messages', () => {
  for (const [number, [type, text, sizes]] of INPUTS.entries()) {
    test(`input ${number}, whole and in pieces`, () => {
      const input = Buffer.from(text, 'latin1');
      const wanted = expected(type, input);
      for (const size of sizes ?? [1, 2, 3, 5, 17]) {
        for (const length of [input.length, size]) {
          const parser = new MessageParser(type);
          const events = [];
          for (let at = 0; at < input.length && parser.code === 'HPE_OK'; at += length) {
            events.push(...parser.execute(Buffer.from(input.subarray(at, at + length))).map(plain));
          }
          events.push(...parser.finish().map(plain));
          assert.deepEqual(joined(events), wanted);
        }
      }
    });
  }

  test('cut once, at every place', () => {
    const input = Buffer.from(INPUTS[1][1], 'latin1');
    const wanted = expected(REQUEST, input);
    for (let at = 0; at <= input.length; at++) {
      const parser = new MessageParser(REQUEST);
      const events = [...parser.execute(input.subarray(0, at)), ...parser.execute(input.subarray(at))];
      assert.deepEqual(joined(events.map(plain)), wanted);
    }
  });

  test('onHeadersComplete says what has no body', () => {
    class Responses extends MessageParser {
      onHeadersComplete() {
        return 1;
      }
    }
    const events = new Responses(RESPONSE).execute(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['head', 'messageComplete'],
    );
    assert.deepEqual(events[0].headers, ['Content-Length', '5']);
  });

  test('an error comes with the events before it', () => {
    const parser = new MessageParser(REQUEST);
    assert.throws(
      () => parser.execute(Buffer.from('GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nbad name: x\r\n\r\n')),
      (error) => {
        assert.ok(error instanceof HTTPParserError);
        assert.deepEqual(
          error.events.map(({ type, url }) => [type, url]),
          [
            ['head', '/1'],
            ['messageComplete', undefined],
          ],
        );
        return true;
      },
    );
  });

  test('the bound of a head', () => {
    const head = (length) => Buffer.from(`GET / HTTP/1.1\r\nA: ${'x'.repeat(length)}\r\n\r\n`);
    for (const cut of [1e9, 1]) {
      const feed = (parser, input) => {
        for (let at = 0; at < input.length; at += cut) parser.execute(input.subarray(at, at + cut));
      };
      const parser = new MessageParser(REQUEST, { maxHeadSize: 100 });
      feed(parser, head(90));
      feed(parser, head(90));
      const overflow = { code: 'HPE_HEADER_OVERFLOW', message: 'Start-line and field lines have more than 100 bytes' };
      assert.throws(() => feed(parser, head(101)), overflow);
      assert.throws(() => parser.execute(Buffer.from('x')), overflow);
      assert.throws(() => parser.finish(), overflow);
      parser.reset();
      feed(parser, head(90));
    }
    for (const maxHeadSize of [-1, 0.5, '1', NaN])
      assert.throws(() => new MessageParser(REQUEST, { maxHeadSize }), { code: 'ERR_OUT_OF_RANGE' });
  });

  test('a content length beyond what an event of llhttp_ext_execute has room for', () => {
    for (const length of [2 ** 32, 2 ** 40 - 2, 2 ** 40 - 1, 2 ** 40, 2 ** 53 - 1]) {
      const input = Buffer.from(`GET / HTTP/1.1\r\n\r\nPUT / HTTP/1.1\r\nContent-Length: ${length}\r\n\r\n`);
      assert.equal(new MessageParser(REQUEST).execute(input).at(-1).contentLength, length);
    }
    const input = Buffer.from(`PUT / HTTP/1.1\r\nContent-Length: ${2n ** 64n - 1n}\r\n\r\n`);
    assert.equal(new MessageParser(REQUEST).execute(input).at(-1).contentLength, 2n ** 64n - 1n);
  });
});
