// HTTPParser: an HTTP/1 parser on the addon build/llhttp.node. index.d.ts is its documentation.
//
// The addon writes events as words on a tape, a Uint32Array that is lent to it for one parse; src/tape.h has the
// layout. Those that are collected are decoded when the parse is over; for one that has a callback the addon calls a
// function at once, which reads the record in its place on the tape. What must hold: the addon gets valid arguments
// only, and while a parser parses the addon is asked nothing for it but to pause, to resume, to set lenient flags, and
// what its state is.
'use strict';

const { isAnyArrayBuffer } = require('node:util').types;
const { EVENTS, TYPES, METHODS, ERRNO, FLAGS, LENIENT } = require('./tables_gen.js');
const native = loadAddon();

const { version, simdLevel, simdError } = native;
const { TAPE_USED, TAPE_BEFORE, TAPE_PARSED, TAPE_RECORD, TAPE_EVENTS } = native;
const { INFO_START_LINE, INFO_STATUS, INFO_LENGTH_LOW, INFO_LENGTH_HIGH, INFO_BITS, INFO_WORDS } = native;
const { INFO_LENIENT, INFO_ERRNO } = native;
const { INFO_UPGRADE, INFO_KEEP_ALIVE, INFO_NEEDS_EOF, INFO_METHOD_KNOWN } = native;
const { HPE_OK, HPE_PAUSED, HPE_PAUSED_UPGRADE, HPE_PAUSED_H2_UPGRADE } = ERRNO;

const EVENT_NAMES = EVENTS.map(({ name }) => name);
const EVENT_NUMBERS = new Map(EVENT_NAMES.map((name, number) => [name, number]));
const IS_SPAN = EVENTS.map(({ span }) => span);
const CALLBACK_NAMES = new Set(EVENTS.map(({ callback }) => callback));
const HEADERS_COMPLETE = EVENT_NUMBERS.get('headersComplete');
const MESSAGE_COMPLETE = EVENT_NUMBERS.get('messageComplete');
const CHUNK_HEADER = EVENT_NUMBERS.get('chunkHeader');
const ALL_EVENTS = (1 << EVENTS.length) - 1;
const ALL_LENIENT = Object.values(LENIENT).reduce((bits, bit) => bits | bit);

const NO_BYTES = Buffer.alloc(0);

function loadAddon() {
  try {
    return require('../build/llhttp.node');
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND')
      error.message = `llhttpgo's addon is not built: run "npm rebuild llhttpgo". ${error.message}`;
    throw error;
  }
}

// ---- errors ----

function isPause(errno) {
  return errno === HPE_PAUSED || errno === HPE_PAUSED_UPGRADE || errno === HPE_PAUSED_H2_UPGRADE;
}

class HTTPParserError extends Error {
  constructor(errno, reason, bytesParsed, events) {
    const code = native.errnoName(errno);
    super(`${isPause(errno) ? 'Parser Paused' : 'Parse Error'}: ${reason ?? code}`);
    this.code = code;
    this.errno = errno;
    this.reason = reason;
    this.bytesParsed = bytesParsed;
    Object.defineProperty(this, 'events', { value: events }); // not shown with the error: there may be many
  }
}
Object.defineProperty(HTTPParserError.prototype, 'name', {
  value: 'HTTPParserError',
  writable: true,
  configurable: true,
});

function fault(Class, code, message) {
  return Object.assign(new Class(message), { code });
}

function wrongType(what, wanted, value) {
  const type =
    value === null ? 'null' : typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value;
  return fault(TypeError, 'ERR_INVALID_ARG_TYPE', `${what} must be ${wanted}; it is of type ${type}`);
}

function unknownName(what, name, known) {
  return fault(
    TypeError,
    'ERR_INVALID_ARG_VALUE',
    `${what} '${String(name)}' is unknown; known: ${[...known].join(', ')}`,
  );
}

// ---- arguments ----

// What execute accepts, as a Buffer on the same memory.
function toBuffer(input) {
  if (Buffer.isBuffer(input)) return input;
  try {
    if (ArrayBuffer.isView(input)) return Buffer.from(input.buffer, input.byteOffset, input.byteLength);
    if (isAnyArrayBuffer(input)) return Buffer.from(input);
  } catch (cause) {
    // there is no Buffer on a detached ArrayBuffer
    throw Object.assign(fault(TypeError, 'ERR_INVALID_ARG_VALUE', 'The buffer is detached'), { cause });
  }
  throw wrongType('input', 'a Buffer, TypedArray, DataView or ArrayBuffer', input);
}

function toLenientFlags(lenient) {
  if (typeof lenient === 'number') {
    if (Number.isInteger(lenient) && lenient >= 0 && lenient <= ALL_LENIENT && (lenient & ~ALL_LENIENT) === 0)
      return lenient;
    throw fault(
      RangeError,
      'ERR_OUT_OF_RANGE',
      `lenient must have no other bits than those of LENIENT; it is ${lenient}`,
    );
  }
  if (!Array.isArray(lenient)) throw wrongType('lenient', 'an array of names, or a number', lenient);
  return lenient.reduce((bits, name) => {
    if (!Object.hasOwn(LENIENT, name)) throw unknownName('The lenient flag', name, Object.keys(LENIENT));
    return bits | LENIENT[name];
  }, 0);
}

function toEventBits(events) {
  if (typeof events === 'boolean') return events ? ALL_EVENTS : 0;
  if (!Array.isArray(events)) throw wrongType('options.events', 'a boolean or an array of names', events);
  return events.reduce((bits, name) => {
    if (!EVENT_NUMBERS.has(name)) throw unknownName('The event', name, EVENT_NUMBERS.keys());
    return bits | (1 << EVENT_NUMBERS.get(name));
  }, 0);
}

// The callbacks by the event's number, each with the object whose method it is; undefined where there is none. They
// are those of options.callbacks, and methods of the parser, which a derived class may have.
function toCallbacks(parser, given = {}) {
  if (typeof given !== 'object' || given === null) throw wrongType('options.callbacks', 'an object', given);
  for (const name in given) {
    if (/^on[A-Z]/.test(name) && !CALLBACK_NAMES.has(name)) throw unknownName('The callback', name, CALLBACK_NAMES);
  }
  return EVENTS.map(({ callback: name }) => {
    const owner = given[name] !== undefined ? given : parser;
    const method = owner[name];
    if (method === undefined) return undefined;
    if (typeof method !== 'function') throw wrongType(`The callback ${name}`, 'a function', method);
    return { name, owner, method };
  });
}

// ---- events ----

class SpanEvent {
  #input;

  constructor(type, input, offset, length) {
    this.type = type;
    this.offset = offset;
    this.length = length;
    this.#input = input;
  }

  get data() {
    return this.#input.subarray(this.offset, this.offset + this.length);
  }

  toString(encoding = 'latin1') {
    return this.#input.toString(encoding, this.offset, this.offset + this.length);
  }
}

class NotificationEvent {
  constructor(type) {
    this.type = type;
  }
}

class ChunkHeaderEvent {
  constructor(type, size) {
    this.type = type;
    this.size = size;
  }
}

class MessageInfo {
  constructor(type, words, at) {
    const bits = words[at + INFO_BITS];
    this.type = type;
    this.method = toMethod(words, at);
    this.statusCode = toStatusCode(words, at);
    this.httpMajor = toMajor(words, at);
    this.httpMinor = toMinor(words, at);
    this.flags = toFlags(words, at);
    this.contentLength = toContentLength(words, at);
    this.upgrade = (bits & INFO_UPGRADE) !== 0;
    this.shouldKeepAlive = (bits & INFO_KEEP_ALIVE) !== 0;
    this.messageNeedsEof = (bits & INFO_NEEDS_EOF) !== 0;
  }
}

// What the words of enum info say, from words[at] on.

function toType(words, at) {
  return words[at + INFO_START_LINE] & 0xff;
}

function toMethod(words, at) {
  if (toType(words, at) === TYPES.RESPONSE || (words[at + INFO_BITS] & INFO_METHOD_KNOWN) === 0) return null;
  return METHODS[(words[at + INFO_START_LINE] >>> 8) & 0xff];
}

function toMajor(words, at) {
  return (words[at + INFO_START_LINE] >>> 16) & 0xff;
}

function toMinor(words, at) {
  return words[at + INFO_START_LINE] >>> 24;
}

function toStatusCode(words, at) {
  return toType(words, at) === TYPES.RESPONSE ? words[at + INFO_STATUS] & 0xffff : null;
}

function toFlags(words, at) {
  return words[at + INFO_STATUS] >>> 16;
}

// 64 bits: a number as long as that is exact.
function toContentLength(words, at) {
  const high = words[at + INFO_LENGTH_HIGH];
  const low = words[at + INFO_LENGTH_LOW];
  return high < 1 << 21 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
}

// The event of the record that begins at words[at].
function decode(words, at, input) {
  const number = words[at] & 0xff;
  const name = EVENT_NAMES[number];
  if (IS_SPAN[number]) return new SpanEvent(name, input, words[at + 1], words[at + 2]);
  if (number === HEADERS_COMPLETE || number === MESSAGE_COMPLETE) return new MessageInfo(name, words, at + 1);
  if (number === CHUNK_HEADER) return new ChunkHeaderEvent(name, toContentLength(words, at + 1));
  return new NotificationEvent(name);
}

function decodeAll(words, input) {
  const events = [];
  for (let at = TAPE_EVENTS; at < words[TAPE_USED]; at += words[at] >>> 8) events.push(decode(words, at, input));
  return events;
}

// ---- tapes ----

// There is one for each parse under way: a callback of one parser may run another. They are used again, one that had
// to grow as well, unless it is too large or too many parses lie within each other.
const TAPE_WORDS = 4096;
const TAPE_WORDS_KEPT = 1 << 18;
const TAPES_KEPT = 8;
const tapes = [];
let parsesUnderWay = 0;

function keep(tape) {
  if (tape.length <= TAPE_WORDS_KEPT && parsesUnderWay < TAPES_KEPT) tapes[parsesUnderWay] = tape;
  return tape;
}

const info = new Uint32Array(INFO_WORDS);

// ---- the parser ----

class HTTPParser {
  #handle;
  #callbacks; // by the event's number; undefined if there is none
  #dispatch; // calls the callback of the record in its place; undefined if there is no callback
  #tape = null; // null when no parse is under way
  #input = NO_BYTES; // what is being parsed
  #bytesParsed = 0;
  #rest = NO_BYTES;

  constructor(type, options = {}) {
    if (!Object.values(TYPES).includes(type)) {
      const known = Object.keys(TYPES)
        .map((name) => `HTTPParser.${name}`)
        .join(', ');
      throw fault(TypeError, 'ERR_INVALID_ARG_VALUE', `type must be one of ${known}; it is ${String(type)}`);
    }
    if (typeof options !== 'object' || options === null) throw wrongType('options', 'an object', options);
    const callbacks =
      options.callbacks === undefined && new.target === HTTPParser ? [] : toCallbacks(this, options.callbacks);
    const called = callbacks.reduce(
      (bits, callback, number) => (callback === undefined ? bits : bits | (1 << number)),
      0,
    );
    const collected = toEventBits(options.events ?? (options.callbacks === undefined && called === 0));
    const lenient = toLenientFlags(options.lenient ?? 0);
    if (called !== 0) {
      this.#callbacks = callbacks;
      this.#dispatch = () => this.#callBack();
    }
    this.#handle = native.create(type, collected, called);
    native.setLenient(this.#handle, lenient, true);
  }

  execute(input) {
    this.#refuseInCallback('execute');
    const bytes = toBuffer(input);
    const tape = this.#begin(bytes);
    let errno;
    try {
      errno = native.execute(this.#handle, bytes, tape, this.#dispatch);
    } finally {
      parsesUnderWay--; // first what needs no call: where the stack has overflown, a call fails
      this.#tape = null;
      this.#input = NO_BYTES;
      this.#bytesParsed = tape[TAPE_PARSED];
      this.#rest = this.#bytesParsed < bytes.length ? bytes.subarray(this.#bytesParsed) : NO_BYTES;
    }
    return this.#result(errno, isPause(errno) && tape[TAPE_BEFORE] === HPE_OK, tape, bytes);
  }

  finish() {
    this.#refuseInCallback('finish');
    const tape = this.#begin(NO_BYTES);
    let errno;
    try {
      errno = native.finish(this.#handle, tape, this.#dispatch);
    } finally {
      parsesUnderWay--;
      this.#tape = null;
      this.#input = NO_BYTES;
    }
    return this.#result(errno, isPause(errno), tape, NO_BYTES);
  }

  reset() {
    this.#refuseInCallback('reset');
    native.reset(this.#handle);
    this.#bytesParsed = 0;
    this.#rest = NO_BYTES;
  }

  pause() {
    native.pause(this.#handle);
  }

  resume() {
    native.resume(this.#handle);
  }

  resumeAfterUpgrade() {
    this.#refuseInCallback('resumeAfterUpgrade');
    native.resumeAfterUpgrade(this.#handle);
  }

  setLenient(lenient, enabled = true) {
    const flags = toLenientFlags(lenient);
    if (typeof enabled !== 'boolean') throw wrongType('enabled', 'a boolean', enabled);
    native.setLenient(this.#handle, flags, enabled);
  }

  get bytesParsed() {
    return this.#bytesParsed;
  }
  get rest() {
    return this.#rest;
  }
  get code() {
    return native.errnoName(this.#info()[INFO_ERRNO] | 0);
  }
  get reason() {
    return native.reason(this.#handle);
  }
  get lenientFlags() {
    return this.#info()[INFO_LENIENT];
  }
  get type() {
    return toType(this.#info(), 0);
  }
  get method() {
    return toMethod(this.#info(), 0);
  }
  get statusCode() {
    return toStatusCode(this.#info(), 0);
  }
  get httpMajor() {
    return toMajor(this.#info(), 0);
  }
  get httpMinor() {
    return toMinor(this.#info(), 0);
  }
  get flags() {
    return toFlags(this.#info(), 0);
  }
  get contentLength() {
    return toContentLength(this.#info(), 0);
  }
  get upgrade() {
    return (this.#info()[INFO_BITS] & INFO_UPGRADE) !== 0;
  }
  get shouldKeepAlive() {
    return (this.#info()[INFO_BITS] & INFO_KEEP_ALIVE) !== 0;
  }
  get messageNeedsEof() {
    return (this.#info()[INFO_BITS] & INFO_NEEDS_EOF) !== 0;
  }

  #info() {
    native.info(this.#handle, info);
    return info;
  }

  #refuseInCallback(name) {
    if (this.#tape === null) return;
    throw fault(Error, 'ERR_INVALID_STATE', `${name}() must not be called in a callback of the same parser`);
  }

  #begin(input) {
    const tape = tapes[parsesUnderWay] ?? keep(new Uint32Array(TAPE_WORDS));
    tape[TAPE_PARSED] = 0;
    this.#tape = tape;
    this.#input = input;
    parsesUnderWay++;
    return tape;
  }

  #result(errno, pausedNow, tape, input) {
    const events = decodeAll(tape.length < tape[TAPE_USED] ? this.#longer(tape) : tape, input);
    if (errno === HPE_OK || pausedNow) return events;
    throw new HTTPParserError(errno, native.reason(this.#handle), tape[TAPE_PARSED], events);
  }

  // A tape that holds what the addon has found no room for.
  #longer(tape) {
    const longer = new Uint32Array(tape[TAPE_USED]);
    longer[TAPE_USED] = tape[TAPE_USED];
    native.overflow(this.#handle, longer);
    return keep(longer);
  }

  // Calls the callback whose event is in its place on the tape. Returns a result as llhttp's callbacks have it.
  #callBack() {
    const tape = this.#tape;
    const number = tape[TAPE_RECORD] & 0xff;
    const { name, owner, method } = this.#callbacks[number];
    let result;
    if (IS_SPAN[number]) {
      const offset = tape[TAPE_RECORD + 1];
      result = method.call(owner, this.#input.subarray(offset, offset + tape[TAPE_RECORD + 2]), offset, this);
    } else if (number === HEADERS_COMPLETE || number === MESSAGE_COMPLETE) {
      result = method.call(owner, new MessageInfo(EVENT_NAMES[number], tape, TAPE_RECORD + 1), this);
    } else if (number === CHUNK_HEADER) {
      result = method.call(owner, toContentLength(tape, TAPE_RECORD + 1), this);
    } else {
      result = method.call(owner, this);
    }
    if (result === undefined) return HPE_OK;
    if (typeof result === 'number' && (result | 0) === result) return result;
    throw wrongType(`The result of ${name}`, 'undefined or an integer of 32 bits', result);
  }
}

for (const [name, value] of Object.entries(TYPES)) Object.defineProperty(HTTPParser, name, { value, enumerable: true });

module.exports = { HTTPParser, HTTPParserError, METHODS, ERRNO, FLAGS, LENIENT, version, simdLevel, simdError };
