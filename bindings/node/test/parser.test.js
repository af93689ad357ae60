// What HTTPParser does, as index.d.ts says: events, callbacks, errors, pauses, upgrades. Which bytes give which events
// is not tested here but by the documents of tests/cases and by vectors.test.js.
'use strict';

const assert = require('node:assert/strict');
const { describe, test } = require('node:test');
const { HTTPParser, HTTPParserError, ERRNO, FLAGS, LENIENT, METHODS } = require('llhttpgo');

const { BOTH, REQUEST, RESPONSE } = HTTPParser;

// Events in short: 'url /index' for a span, the name alone for others.
function summary(events) {
  return events.map((event) => (event.length === undefined ? event.type : `${event.type} ${event}`));
}

// What a function throws; a failure if it throws nothing.
function thrown(call) {
  let error;
  assert.throws(call, (caught) => {
    error = caught;
    return true;
  });
  return error;
}

function parserError(call, code) {
  const error = thrown(call);
  assert.ok(error instanceof HTTPParserError, error.stack);
  assert.equal(error.code, code);
  return error;
}

describe('events', () => {
  test('a request, in order, with offsets into the input', () => {
    const input = Buffer.from('POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc');
    const events = new HTTPParser(REQUEST).execute(input);
    assert.deepEqual(summary(events), [
      'messageBegin',
      'method POST',
      'methodComplete',
      'url /x',
      'urlComplete',
      'protocol HTTP',
      'protocolComplete',
      'version 1.1',
      'versionComplete',
      'headerField Host',
      'headerFieldComplete',
      'headerValue a',
      'headerValueComplete',
      'headerField Content-Length',
      'headerFieldComplete',
      'headerValue 3',
      'headerValueComplete',
      'headersComplete',
      'body abc',
      'messageComplete',
    ]);
    for (const event of events.filter(({ length }) => length !== undefined)) {
      assert.equal(input.toString('latin1', event.offset, event.offset + event.length), String(event));
      assert.equal(event.data.toString('latin1'), String(event));
      assert.equal(event.data.buffer, input.buffer, 'a view, no copy');
      assert.equal(event.data.byteOffset, input.byteOffset + event.offset);
    }
    assert.deepEqual(
      { ...events.find(({ type }) => type === 'headersComplete') },
      {
        type: 'headersComplete',
        method: 'POST',
        statusCode: null,
        httpMajor: 1,
        httpMinor: 1,
        flags: FLAGS.CONTENT_LENGTH,
        contentLength: 3,
        upgrade: false,
        shouldKeepAlive: true,
        messageNeedsEof: false,
      },
    );
  });

  test('a response whose body lasts until the end of the connection', () => {
    const parser = new HTTPParser(RESPONSE, { events: ['status', 'headersComplete', 'body', 'messageComplete'] });
    const events = parser.execute(Buffer.from('HTTP/1.0 404 Not Found\r\n\r\nbody'));
    assert.deepEqual(summary(events), ['status Not Found', 'headersComplete', 'body body']);
    assert.deepEqual(
      { ...events[1] },
      {
        type: 'headersComplete',
        method: null,
        statusCode: 404,
        httpMajor: 1,
        httpMinor: 0,
        flags: 0,
        contentLength: 0,
        upgrade: false,
        shouldKeepAlive: false,
        messageNeedsEof: true,
      },
    );
    assert.deepEqual(summary(parser.finish()), ['messageComplete']);
  });

  test('every message of a pipeline has its own state', () => {
    const events = new HTTPParser(REQUEST, { events: ['headersComplete', 'reset'] }).execute(
      Buffer.from(
        'GET /1 HTTP/1.1\r\n\r\n' +
          'PUT /2 HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx' +
          'DELETE /3 HTTP/1.0\r\n\r\n',
      ),
    );
    assert.deepEqual(
      events.map(({ type, method, httpMinor, shouldKeepAlive }) => [type, method, httpMinor, shouldKeepAlive]),
      [
        ['headersComplete', 'GET', 1, true],
        ['reset', undefined, undefined, undefined],
        ['headersComplete', 'PUT', 0, true],
        ['reset', undefined, undefined, undefined],
        ['headersComplete', 'DELETE', 0, false],
      ],
    );
  });

  test('in pieces, spans are cut where the input ends, and offsets count from the beginning of each', () => {
    const parser = new HTTPParser(REQUEST, { events: ['url', 'urlComplete'] });
    const pieces = ['GET /in', 'dex.ht', 'ml HTTP/1.1\r\n'].map((piece) => parser.execute(Buffer.from(piece)));
    assert.deepEqual(pieces.map(summary), [['url /in'], ['url dex.ht'], ['url ml', 'urlComplete']]);
    assert.deepEqual(
      pieces.map(([{ offset }]) => offset),
      [4, 0, 0],
    );
  });

  test('chunks, their extensions, trailers', () => {
    const events = new HTTPParser(REQUEST).execute(
      Buffer.from('POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nTrailer: t\r\n\r\n'),
    );
    assert.deepEqual(summary(events.slice(events.findIndex(({ type }) => type === 'headersComplete'))), [
      'headersComplete',
      'chunkExtensionName a',
      'chunkExtensionNameComplete',
      'chunkExtensionValue b',
      'chunkExtensionValueComplete',
      'chunkHeader',
      'body abc',
      'chunkComplete',
      'chunkHeader',
      'headerField Trailer',
      'headerFieldComplete',
      'headerValue t',
      'headerValueComplete',
      'chunkComplete',
      'messageComplete',
    ]);
    assert.deepEqual(
      events.filter(({ type }) => type === 'chunkHeader').map(({ size }) => size),
      [3, 0],
    );
  });

  test('lengths are numbers as long as these are exact', () => {
    for (const [text, length] of [
      ['9007199254740991', 2 ** 53 - 1],
      ['9007199254740992', 2n ** 53n],
      ['18446744073709551615', 2n ** 64n - 1n],
    ]) {
      const parser = new HTTPParser(REQUEST, { events: ['headersComplete'] });
      const [event] = parser.execute(Buffer.from(`POST / HTTP/1.1\r\nContent-Length: ${text}\r\n\r\n`));
      assert.equal(event.contentLength, length);
      assert.equal(parser.contentLength, length);
    }
  });

  test('there are more of them than a tape has room for', () => {
    const count = 20000;
    const input = Buffer.from(
      `GET / HTTP/1.1\r\n${Array.from({ length: count }, (_, i) => `f${i}: v${i}\r\n`).join('')}\r\n`,
    );
    const parser = new HTTPParser(REQUEST, { events: ['headerField', 'headerValue', 'messageComplete'] });
    for (let round = 0; round < 2; round++) {
      // the second has the tape that the first has made longer
      const events = parser.execute(input);
      assert.equal(events.length, 2 * count + 1);
      assert.ok(
        events.slice(0, -1).every((event, i) => String(event) === (i % 2 === 0 ? `f${i / 2}` : `v${(i - 1) / 2}`)),
      );
      assert.equal(events.at(-1).type, 'messageComplete');
    }
  });

  test('every method has its name', () => {
    for (const method of METHODS.filter((name) => name !== 'PRI')) {
      // PRI is the first word of HTTP/2's preface
      const protocol =
        ['GET', 'OPTIONS', 'POST'].includes(method) ||
        METHODS.indexOf(method) < METHODS.indexOf('SOURCE') ||
        method === 'QUERY'
          ? 'HTTP'
          : method === 'SOURCE'
            ? 'ICE'
            : 'RTSP';
      const parser = new HTTPParser(REQUEST, { events: ['headersComplete'] });
      assert.equal(
        parser.execute(Buffer.from(`${method} ${method === 'CONNECT' ? 'a:1' : '/'} ${protocol}/1.1\r\n\r\n`))[0]
          .method,
        method,
      );
      assert.equal(parser.method, method);
    }
  });
});

describe('callbacks', () => {
  const request = Buffer.from('POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n');

  test('get what events have', () => {
    const calls = [];
    const note =
      (name) =>
      (...values) => {
        calls.push([name, ...values]);
      };
    const callbacks = Object.fromEntries(
      ['onMessageBegin', 'onUrl', 'onHeadersComplete', 'onChunkHeader', 'onBody', 'onMessageComplete'].map((name) => [
        name,
        note(name),
      ]),
    );
    const parser = new HTTPParser(REQUEST, { callbacks });
    assert.deepEqual(parser.execute(request), []);
    assert.ok(calls.every((call) => call.at(-1) === parser));
    assert.deepEqual(
      calls.map((call) => call[0]),
      ['onMessageBegin', 'onUrl', 'onHeadersComplete', 'onChunkHeader', 'onBody', 'onChunkHeader', 'onMessageComplete'],
    );
    assert.deepEqual(calls[1].slice(1, 3), [Buffer.from('/x'), 5]);
    assert.equal(calls[2][1].method, 'POST');
    assert.equal(calls[3][1], 3);
    assert.equal(calls[4][1].toString(), 'abc');
    assert.equal(calls[4][1].buffer, request.buffer, 'a view, no copy');
    assert.equal(calls[4][1].byteOffset, request.byteOffset + calls[4][2]);
  });

  test('are methods of the object that has them, or of a derived class', () => {
    const owner = {
      onUrl(data) {
        this.url = String(data);
      },
    };
    assert.deepEqual(new HTTPParser(REQUEST, { callbacks: owner }).execute(request), []);
    assert.equal(owner.url, '/x');

    class Derived extends HTTPParser {
      onUrl(data, offset, parser) {
        assert.equal(this, parser);
        this.url = String(data);
      }
    }
    const derived = new Derived(REQUEST);
    assert.deepEqual(derived.execute(request), []);
    assert.equal(derived.url, '/x');
    class Plain extends HTTPParser {}
    assert.ok(new Plain(REQUEST).execute(request).length > 10, 'without callbacks events are returned');
  });

  test('and events together', () => {
    const order = [];
    const parser = new HTTPParser(REQUEST, {
      events: ['url', 'body'],
      callbacks: {
        onBody: () => {
          order.push('body');
        },
      },
    });
    assert.deepEqual(summary(parser.execute(request)), ['url /x', 'body abc']);
    assert.deepEqual(order, ['body']);
  });

  test('see the parser as it is at their event', () => {
    const seen = [];
    const parser = new HTTPParser(RESPONSE, {
      callbacks: {
        onStatusComplete: () => {
          seen.push(parser.statusCode, parser.httpMajor, parser.httpMinor);
        },
        onHeaderValueComplete: () => {
          seen.push(parser.flags, parser.contentLength);
        },
        onHeadersComplete: () => {
          seen.push(parser.shouldKeepAlive, parser.messageNeedsEof, parser.upgrade);
        },
      },
    });
    parser.execute(Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 7\r\n\r\n'));
    assert.deepEqual(seen, [201, 1, 1, FLAGS.CONTENT_LENGTH, 7, true, false, false]);
  });

  test('onHeadersComplete returns 1: the message has no body, 2: nor any other follow', () => {
    const response = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
    const head = new HTTPParser(RESPONSE, { events: ['messageComplete'], callbacks: { onHeadersComplete: () => 1 } });
    assert.equal(head.execute(response).length, 2);
    const other = new HTTPParser(RESPONSE, { events: ['messageComplete'], callbacks: { onHeadersComplete: () => 2 } });
    assert.equal(other.execute(response).length, 1);
    assert.equal(other.code, 'HPE_PAUSED_UPGRADE');
    assert.equal(other.rest.indexOf('HTTP/1.1 204'), 0);
  });

  test('fail by their result', () => {
    const results = [
      ['onBody', -1, 'HPE_USER', 24],
      ['onBody', ERRNO.HPE_STRICT, 'HPE_STRICT', 2],
      ['onBody', 1000, '<unknown>', 1000],
      ['onBody', -7, '<unknown>', -7],
      ['onChunkHeader', -1, 'HPE_CB_CHUNK_HEADER', 19],
      ['onHeadersComplete', 3, 'HPE_CB_HEADERS_COMPLETE', 17],
    ];
    for (const [name, result, code, errno] of results) {
      const parser = new HTTPParser(REQUEST, { callbacks: { [name]: () => result } });
      const error = parserError(() => parser.execute(request), code);
      assert.equal(error.errno, errno);
      assert.ok(error.bytesParsed > 0 && error.bytesParsed < request.length);
      assert.deepEqual(parser.rest, request.subarray(error.bytesParsed));
    }
    const finishing = new HTTPParser(RESPONSE, { callbacks: { onMessageComplete: () => -1 } });
    finishing.execute(Buffer.from('HTTP/1.0 200 OK\r\n\r\n'));
    parserError(() => finishing.finish(), 'HPE_CB_MESSAGE_COMPLETE');
    for (const result of [null, true, '0', 0.5, 2 ** 31, NaN, 0n, Promise.resolve(), {}]) {
      const parser = new HTTPParser(REQUEST, { callbacks: { onUrl: () => result } });
      const error = thrown(() => parser.execute(request));
      assert.ok(error instanceof TypeError && error.code === 'ERR_INVALID_ARG_TYPE', error.stack);
      assert.match(error.message, /onUrl/);
    }
  });

  test('throw: execute throws the same, and the parser has stopped', () => {
    const problem = new Error('mine');
    let calls = 0;
    for (const name of ['onUrl', 'onMessageBegin', 'onHeadersComplete', 'onMessageComplete']) {
      const parser = new HTTPParser(REQUEST, {
        callbacks: {
          [name]: () => {
            calls++;
            throw problem;
          },
          onReset: () => assert.fail('it went on'),
        },
      });
      calls = 0;
      assert.equal(
        thrown(() => parser.execute(Buffer.concat([request, request]))),
        problem,
      );
      assert.equal(calls, 1);
      assert.match(parser.code, /^HPE_(USER|CB_)/);
      parserError(() => parser.execute(request), parser.code);
      assert.deepEqual(parser.finish(), []);
      parser.reset();
      assert.equal(parser.code, 'HPE_OK');
      assert.equal(
        thrown(() => parser.execute(request)),
        problem,
        'it begins anew',
      );
    }
    for (const value of [undefined, null, 'text', 0]) {
      const parser = new HTTPParser(REQUEST, {
        callbacks: {
          onUrl() {
            throw value;
          },
        },
      });
      assert.equal(
        thrown(() => parser.execute(request)),
        value,
      );
    }
    const parser = new HTTPParser(RESPONSE, {
      callbacks: {
        onMessageComplete() {
          throw problem;
        },
      },
    });
    parser.execute(Buffer.from('HTTP/1.0 200 OK\r\n\r\n'));
    assert.equal(
      thrown(() => parser.finish()),
      problem,
    );
  });

  test('may run other parsers, at any depth, but not their own', () => {
    const depths = [];
    const nested = (depth) => {
      const parser = new HTTPParser(REQUEST, {
        events: ['url', 'body'],
        callbacks: {
          onHeadersComplete() {
            if (depth > 0) depths.push(summary(nested(depth - 1).execute(request)));
            for (const call of [
              () => parser.execute(request),
              () => parser.finish(),
              () => parser.reset(),
              () => parser.resumeAfterUpgrade(),
            ]) {
              const error = thrown(call);
              assert.equal(error.code, 'ERR_INVALID_STATE');
              assert.match(error.message, /callback of the same parser/);
            }
          },
        },
      });
      return parser;
    };
    assert.deepEqual(summary(nested(5).execute(request)), ['url /x', 'body abc']);
    assert.deepEqual(
      depths,
      Array.from({ length: 5 }, () => ['url /x', 'body abc']),
    );
  });

  test('that never end: the stack overflows, which is an exception, and all is well again', () => {
    const parser = new HTTPParser(REQUEST, { callbacks: { onUrl: () => nest() } });
    const nest = () => {
      new HTTPParser(REQUEST, { callbacks: { onUrl: nest } }).execute(request);
    };
    for (let round = 0; round < 3; round++) {
      assert.throws(() => parser.execute(request), RangeError);
      assert.equal(parser.code, 'HPE_USER');
      parser.reset();
      assert.deepEqual(summary(new HTTPParser(REQUEST, { events: ['url'] }).execute(request)), ['url /x']);
    }
  });

  test('may relax rules, from the next byte on', () => {
    const input = Buffer.from('GET / HTTP/1.1\r\nA: b\x01\r\n\r\n');
    const strict = new HTTPParser(REQUEST);
    parserError(() => strict.execute(input), 'HPE_INVALID_HEADER_TOKEN');
    const relaxing = new HTTPParser(REQUEST, {
      events: ['headerValue'],
      callbacks: { onUrlComplete: (parser) => parser.setLenient(['headerValueRelaxed']) },
    });
    assert.deepEqual(summary(relaxing.execute(input)), ['headerValue b\x01']);
    assert.equal(relaxing.lenientFlags, LENIENT.headerValueRelaxed);
  });
});

describe('errors', () => {
  test('have code, errno, reason, position, and the events before', () => {
    const parser = new HTTPParser(REQUEST, { events: ['url', 'messageComplete'] });
    const input = Buffer.from('GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nG@T / HTTP/1.1\r\n\r\n');
    const error = parserError(() => parser.execute(input), 'HPE_INVALID_METHOD');
    assert.equal(error.name, 'HTTPParserError');
    assert.equal(error.errno, ERRNO.HPE_INVALID_METHOD);
    assert.equal(error.reason, 'Invalid method encountered');
    assert.equal(error.message, 'Parse Error: Invalid method encountered');
    assert.match(error.stack, /^HTTPParserError: Parse Error: Invalid method encountered\n +at /);
    assert.equal(error.bytesParsed, input.indexOf('@'));
    assert.deepEqual(summary(error.events), ['url /1', 'messageComplete', 'url /2', 'messageComplete']);
    assert.equal(parser.code, 'HPE_INVALID_METHOD');
    assert.equal(parser.reason, error.reason);
    assert.equal(parser.bytesParsed, error.bytesParsed);
    assert.deepEqual(parser.rest, input.subarray(error.bytesParsed));
  });

  test('come again until the parser is reset', () => {
    const parser = new HTTPParser(REQUEST, { events: ['url'], lenient: ['version'] });
    parserError(() => parser.execute(Buffer.from('bad')), 'HPE_INVALID_METHOD');
    const again = parserError(() => parser.execute(Buffer.from('GET / HTTP/1.1\r\n\r\n')), 'HPE_INVALID_METHOD');
    assert.equal(again.bytesParsed, 0);
    assert.deepEqual(again.events, []);
    assert.deepEqual(parser.finish(), []);
    parser.reset();
    assert.deepEqual(
      [parser.code, parser.reason, parser.method, parser.bytesParsed, parser.rest.length],
      ['HPE_OK', null, null, 0, 0],
    );
    assert.deepEqual(
      summary(parser.execute(Buffer.from('GET / HTTP/7.7\r\n\r\n'))),
      ['url /'],
      'lenient flags and events stay',
    );
  });

  test('finish in the middle of a message', () => {
    const parser = new HTTPParser(REQUEST);
    assert.deepEqual(parser.finish(), []);
    parser.execute(Buffer.from('GET / HT'));
    const error = parserError(() => parser.finish(), 'HPE_INVALID_EOF_STATE');
    assert.equal(error.reason, 'Invalid EOF state');
  });
});

describe('pauses', () => {
  const input = Buffer.from('GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n');

  for (const [how, pause] of [
    ['result', () => ERRNO.HPE_PAUSED],
    ['method', (parser) => parser.pause()],
  ]) {
    test(`in a callback, by its ${how}`, () => {
      const urls = [];
      const parser = new HTTPParser(REQUEST, {
        callbacks: {
          onUrl: (data) => {
            urls.push(String(data));
          },
          onMessageComplete: (info, self) => pause(self),
        },
      });
      let rest = input;
      for (const expected of [['/1'], ['/1', '/2']]) {
        parser.execute(rest);
        assert.deepEqual(urls, expected);
        assert.equal(parser.code, 'HPE_PAUSED');
        assert.equal(parser.bytesParsed, input.length / 2);
        ({ rest } = parser);
        const error = parserError(() => parser.execute(rest), 'HPE_PAUSED');
        assert.equal(error.bytesParsed, 0);
        assert.match(error.message, /^Parser Paused: /);
        parser.resume();
        assert.equal(parser.code, 'HPE_OK');
      }
      assert.equal(rest.length, 0);
      parser.execute(rest);
      assert.deepEqual(parser.finish(), []);
    });
  }

  test('in a callback with a result of its own: at the next event', () => {
    const order = [];
    const parser = new HTTPParser(RESPONSE, {
      callbacks: {
        onHeadersComplete() {
          order.push('headers');
          parser.pause();
          return 1;
        },
      },
    });
    const response = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
    parser.execute(response);
    assert.deepEqual(order, ['headers']);
    assert.equal(parser.code, 'HPE_PAUSED');
    parser.resume();
    parser.execute(parser.rest);
    assert.deepEqual(order, ['headers', 'headers']);
  });

  test('taken back in the same callback', () => {
    const parser = new HTTPParser(REQUEST, {
      callbacks: {
        onUrl() {
          parser.pause();
          parser.resume();
        },
      },
    });
    parser.execute(input);
    assert.deepEqual([parser.code, parser.bytesParsed], ['HPE_OK', input.length]);
  });

  test('in a callback of the last event', () => {
    const parser = new HTTPParser(REQUEST, {
      callbacks: {
        onUrl: () => {
          parser.pause();
        },
      },
    });
    const piece = Buffer.from('GET /a');
    parser.execute(piece);
    assert.deepEqual([parser.code, parser.bytesParsed, parser.rest.length], ['HPE_PAUSED', piece.length, 0]);
  });

  test('between two pieces', () => {
    const parser = new HTTPParser(REQUEST, { events: ['url'] });
    parser.pause();
    assert.equal(parser.code, 'HPE_PAUSED');
    parserError(() => parser.execute(input), 'HPE_PAUSED');
    assert.deepEqual(parser.rest, input);
    parser.resume();
    assert.deepEqual(summary(parser.execute(parser.rest)), ['url /1', 'url /2']);
  });
});

describe('upgrades', () => {
  const upgrade = Buffer.from(
    'GET /chat HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x05hello',
    'latin1',
  );

  test('what follows the message belongs to the other protocol', () => {
    const parser = new HTTPParser(REQUEST, { events: ['headersComplete', 'messageComplete'] });
    const events = parser.execute(upgrade);
    assert.deepEqual(
      events.map((event) => [event.type, event.upgrade]),
      [
        ['headersComplete', true],
        ['messageComplete', true],
      ],
    );
    assert.equal(parser.code, 'HPE_PAUSED_UPGRADE');
    assert.ok(parser.upgrade);
    assert.equal(parser.rest.toString('latin1'), '\x81\x05hello');
    assert.equal(parser.rest.buffer, upgrade.buffer);
    parserError(() => parser.execute(parser.rest), 'HPE_PAUSED_UPGRADE');
    assert.deepEqual(parser.finish(), []);
  });

  test('declined: HTTP goes on', () => {
    const parser = new HTTPParser(REQUEST, { events: ['url'] });
    const input = Buffer.concat([
      upgrade.subarray(0, upgrade.indexOf('\x81', 0, 'latin1')),
      Buffer.from('GET /next HTTP/1.1\r\n\r\n'),
    ]);
    assert.deepEqual(summary(parser.execute(input)), ['url /chat']);
    parser.resume();
    assert.equal(parser.code, 'HPE_PAUSED_UPGRADE', 'that is no such pause');
    parser.resumeAfterUpgrade();
    assert.deepEqual(summary(parser.execute(parser.rest)), ['url /next']);
  });

  test('CONNECT, and the preface of HTTP/2', () => {
    const parser = new HTTPParser(REQUEST);
    parser.execute(Buffer.from('CONNECT a:1 HTTP/1.1\r\n\r\nraw'));
    assert.deepEqual([parser.code, parser.method, String(parser.rest)], ['HPE_PAUSED_UPGRADE', 'CONNECT', 'raw']);
    parser.reset();
    parser.execute(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'));
    assert.equal(parser.code, 'HPE_PAUSED_H2_UPGRADE');
  });
});

describe('the parser', () => {
  test('of either type becomes one by its first message', () => {
    const parser = new HTTPParser(BOTH, { events: ['headersComplete'] });
    assert.deepEqual([parser.type, parser.method, parser.statusCode], [BOTH, null, null]);
    assert.equal(parser.execute(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))[0].statusCode, 200);
    assert.deepEqual([parser.type, parser.method, parser.statusCode], [RESPONSE, null, 200]);
    parser.reset();
    assert.equal(parser.type, RESPONSE, 'it remains decided');
    const other = new HTTPParser(BOTH, { events: ['headersComplete'] });
    assert.equal(other.execute(Buffer.from('PUT / HTTP/1.1\r\n\r\n'))[0].method, 'PUT');
    assert.deepEqual([other.type, other.method, other.statusCode], [REQUEST, 'PUT', null]);
  });

  test('takes every lenient flag, by name and by number', () => {
    const all = Object.values(LENIENT).reduce((bits, bit) => bits | bit);
    assert.equal(new HTTPParser(REQUEST).lenientFlags, 0);
    for (const [name, bit] of Object.entries(LENIENT)) {
      const parser = new HTTPParser(REQUEST, { lenient: [name] });
      assert.equal(parser.lenientFlags, bit);
      parser.setLenient(all);
      assert.equal(parser.lenientFlags, all);
      parser.setLenient([name], false);
      assert.equal(parser.lenientFlags, all & ~bit);
    }
  });

  test('refuses wrong arguments', () => {
    const wrong = [
      [() => new HTTPParser(), 'ERR_INVALID_ARG_VALUE', /type must be one of HTTPParser\.BOTH, /],
      [() => new HTTPParser(3), 'ERR_INVALID_ARG_VALUE', /it is 3/],
      [() => new HTTPParser(REQUEST, null), 'ERR_INVALID_ARG_TYPE', /options.*null/],
      [() => new HTTPParser(REQUEST, { callbacks: 1 }), 'ERR_INVALID_ARG_TYPE', /options\.callbacks/],
      [() => new HTTPParser(REQUEST, { callbacks: { onUrl: 1 } }), 'ERR_INVALID_ARG_TYPE', /onUrl.*number/],
      [
        () => new HTTPParser(REQUEST, { callbacks: { onHeader() {} } }),
        'ERR_INVALID_ARG_VALUE',
        /'onHeader' is unknown; known: onMessageBegin, /,
      ],
      [() => new HTTPParser(REQUEST, { events: 'url' }), 'ERR_INVALID_ARG_TYPE', /options\.events/],
      [
        () => new HTTPParser(REQUEST, { events: ['header'] }),
        'ERR_INVALID_ARG_VALUE',
        /'header' is unknown; known: messageBegin, /,
      ],
      [() => new HTTPParser(REQUEST, { lenient: 'headers' }), 'ERR_INVALID_ARG_TYPE', /lenient/],
      [
        () => new HTTPParser(REQUEST, { lenient: ['toString'] }),
        'ERR_INVALID_ARG_VALUE',
        /'toString' is unknown; known: headers, /,
      ],
      [() => new HTTPParser(REQUEST, { lenient: 2 ** 32 + 1 }), 'ERR_OUT_OF_RANGE', /LENIENT/],
      [() => new HTTPParser(REQUEST).setLenient(-1), 'ERR_OUT_OF_RANGE', /LENIENT/],
      [() => new HTTPParser(REQUEST).setLenient(1, 1), 'ERR_INVALID_ARG_TYPE', /enabled/],
      [() => HTTPParser(REQUEST), undefined, /new/],
      [() => HTTPParser.prototype.execute.call({}, Buffer.alloc(0)), undefined, /private|instance of class/],
    ];
    for (const [call, code, message] of wrong) {
      const error = thrown(call);
      assert.ok(error instanceof TypeError || error instanceof RangeError, error.stack);
      assert.equal(error.code, code);
      assert.match(error.message, message);
    }
  });
});

// An event of the library has no room for lengths like these: the addon asks for each. If it took a time that grows with the square of
// their number this would not end.
test('many lengths of 2 ** 40 bytes and more in one piece', { timeout: 60_000 }, () => {
  const lengths = Array.from({ length: 16_000 }, (_, i) => 2 ** 40 - 2 + i);
  const input = Buffer.from(lengths.map((length) => `HTTP/1.1 304 \r\nContent-Length: ${length}\r\n\r\n`).join(''));
  const parser = new HTTPParser(HTTPParser.RESPONSE, { events: ['headersComplete'] });
  assert.deepEqual(
    parser.execute(input).map(({ contentLength }) => contentLength),
    lengths,
  );
});
