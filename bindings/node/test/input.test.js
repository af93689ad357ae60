// What execute takes: every kind of view, and memory that is taken away or written to in the middle of a parse.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const vm = require('node:vm');
const { HTTPParser, HTTPParserError, ERRNO } = require('llhttpgo');

const text = 'POST /some/path HTTP/1.1\r\nHost: example.com\r\nContent-Length: 10\r\n\r\n0123456789';
const events = ['url', 'headerField', 'headerValue', 'body'];
const expected = ['/some/path', 'Host', 'example.com', 'Content-Length', '10', '0123456789'];

// The text at an offset of a larger ArrayBuffer.
function placed(memory = new ArrayBuffer(512), offset = 32) {
  new Uint8Array(memory).set(Buffer.from(text), offset);
  return { memory, offset, length: text.length };
}

function parse(input) {
  return new HTTPParser(HTTPParser.REQUEST, { events }).execute(input);
}

function hasCode(code, message) {
  return (error) => error.code === code && message.test(error.message);
}

test('every view, at its offset, without a copy', () => {
  const { memory, offset, length } = placed();
  const padded = Buffer.from(`${text}${text.length % 2 ? '' : '\r'}\n`); // CR and LF may stand between two messages
  const inputs = [
    Buffer.from(memory, offset, length),
    new Uint8Array(memory, offset, length),
    new Int8Array(memory, offset, length),
    new Uint8ClampedArray(memory, offset, length),
    new DataView(memory, offset, length),
    vm.runInNewContext('new Uint8Array(memory, offset, length)', { memory, offset, length }),
    new Uint16Array(memory, offset, length >> 1),
    new Float64Array(memory, offset, length >> 3),
  ];
  for (const input of inputs) {
    const found = parse(input);
    const whole = input.byteLength === length;
    assert.deepEqual(found.slice(0, 5).map(String), expected.slice(0, 5));
    assert.equal(String(found[5]), whole ? expected[5] : expected[5].slice(0, input.byteLength - length));
    for (const event of found) {
      assert.ok(Buffer.isBuffer(event.data));
      assert.equal(event.data.buffer, memory);
      assert.equal(event.data.byteOffset, offset + event.offset);
    }
  }
  const whole = new Uint8Array(padded).buffer;
  assert.deepEqual(parse(whole).map(String), expected);
  assert.equal(parse(whole)[0].data.buffer, whole);
  const foreign = vm.runInNewContext('new Uint8Array(bytes).buffer', { bytes: [...padded] });
  assert.deepEqual(parse(foreign).map(String), expected);
});

test('nothing, and small arrays that V8 keeps in its own heap', () => {
  const parser = new HTTPParser(HTTPParser.REQUEST, { events: ['url'] });
  for (const empty of [Buffer.alloc(0), new Uint8Array(), new DataView(new ArrayBuffer(0)), new ArrayBuffer(0)]) {
    assert.deepEqual(parser.execute(empty), []);
  }
  const urls = [...'GET /abc HTTP/1.1\r\n\r\n'].flatMap((character) =>
    parser.execute(Uint8Array.of(character.charCodeAt(0))),
  );
  assert.deepEqual(urls.map(String), ['/', 'a', 'b', 'c', '']);
});

test('no strings, nor anything else', () => {
  for (const input of [
    text,
    undefined,
    null,
    1,
    {},
    [71, 69, 84],
    { buffer: new ArrayBuffer(1), byteOffset: 0, byteLength: 1 },
  ]) {
    assert.throws(
      () => parse(input),
      hasCode('ERR_INVALID_ARG_TYPE', /^input must be a Buffer, TypedArray, DataView or ArrayBuffer/),
    );
  }
});

test('no shared memory', () => {
  const { memory, offset, length } = placed(new SharedArrayBuffer(512));
  for (const input of [
    memory,
    new Uint8Array(memory, offset, length),
    Buffer.from(memory, offset, length),
    new DataView(memory),
  ]) {
    assert.throws(() => parse(input), hasCode('ERR_INVALID_ARG_VALUE', /SharedArrayBuffer.*copy/));
  }
  assert.deepEqual(parse(Buffer.from(new Uint8Array(memory, offset, length))).map(String), expected, 'a copy will do');
});

test('no detached memory', () => {
  for (const view of [
    (memory) => memory,
    (memory) => new Uint8Array(memory),
    (memory) => Buffer.from(memory),
    (memory) => new DataView(memory),
  ]) {
    const { memory } = placed();
    const input = view(memory);
    structuredClone(memory, { transfer: [memory] });
    assert.throws(() => parse(input), hasCode('ERR_INVALID_ARG_VALUE', /detached/));
  }
});

test('memory that a callback takes away: the parse ends there, and a reset helps', () => {
  for (const name of ['onMessageBegin', 'onUrl', 'onHeaderField', 'onHeadersComplete', 'onBody', 'onMessageComplete']) {
    for (const leave of [
      () => undefined,
      () => ERRNO.HPE_PAUSED,
      () => {
        throw new Error('mine');
      },
    ]) {
      const { memory, offset, length } = placed();
      let calls = 0;
      let taken = false;
      const parser = new HTTPParser(HTTPParser.REQUEST, {
        lenient: ['headers'],
        callbacks: {
          [name]() {
            calls++;
            if (taken) return undefined;
            taken = true;
            structuredClone(memory, { transfer: [memory] });
            return leave();
          },
        },
      });
      assert.throws(
        () => parser.execute(new Uint8Array(memory, offset, length)),
        leave.length === 0 && String(leave).includes('throw')
          ? /mine/
          : hasCode('ERR_INVALID_STATE', /detached or shrunk/),
      );
      assert.equal(calls, 1);
      assert.equal(parser.bytesParsed, 0);
      assert.throws(() => parser.execute(Buffer.from(text)), hasCode('ERR_INVALID_STATE', /reset/));
      assert.throws(() => parser.finish(), hasCode('ERR_INVALID_STATE', /reset/));
      parser.reset();
      assert.deepEqual(parser.execute(Buffer.from(text)), []);
      assert.equal(calls, name === 'onHeaderField' ? 3 : 2);
      assert.equal(parser.lenientFlags, 1);
    }
  }
});

test(
  'memory that a callback shrinks',
  { skip: !('resizable' in ArrayBuffer.prototype) && 'this Node has no resizable ArrayBuffer' },
  () => {
    const size = 1 << 20;
    for (const [left, fails] of [
      [0, true],
      [40, true],
      [32 + text.length - 1, true],
      [32 + text.length, false],
    ]) {
      const { memory, offset, length } = placed(new ArrayBuffer(size, { maxByteLength: size }));
      const parser = new HTTPParser(HTTPParser.REQUEST, {
        events,
        callbacks: {
          onMethod: () => {
            memory.resize(left);
          },
        },
      });
      const call = () => parser.execute(new Uint8Array(memory, offset, length));
      if (fails) {
        assert.throws(call, hasCode('ERR_INVALID_STATE', /detached or shrunk/));
      } else {
        assert.deepEqual(call().map(String), expected);
      }
    }
  },
);

test('bytes that a callback changes: an error or other events, and nothing worse', () => {
  // A generator of numbers, so that every run is the same.
  let state = 1;
  const random = (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  const outcomes = new Set();
  for (let round = 0; round < 2000; round++) {
    const input = Buffer.from(text.repeat(2));
    const change = () => {
      for (let i = random(20); i > 0; i--) input[random(input.length)] = random(256);
      if (random(4) === 0) parser.setLenient(random(2048), random(2) === 0);
      return random(4) === 0 ? ERRNO.HPE_PAUSED : undefined;
    };
    const parser = new HTTPParser(HTTPParser.REQUEST, {
      callbacks: { onUrl: change, onHeaderValue: change, onHeadersComplete: change, onBody: change },
    });
    try {
      for (let rest = input; rest.length > 0; rest = parser.rest) {
        parser.resume();
        parser.execute(rest);
        assert.ok(parser.bytesParsed <= rest.length);
        if (parser.code !== 'HPE_PAUSED') break;
      }
    } catch (error) {
      assert.ok(error instanceof HTTPParserError, error.stack);
    }
    outcomes.add(parser.code);
  }
  assert.ok(outcomes.size >= 5, [...outcomes].join());
});
