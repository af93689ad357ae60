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
const { EVENT_OFFSET, EVENT_LENGTH, EVENT_KIND, EVENT_VALUE, EVENT_WORDS } = native;
const { EVENT_UPGRADE, EVENT_KEEP_ALIVE, EVENT_NEEDS_EOF, EVENT_RESPONSE, EVENT_BLANK } = native;
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
const DECODE = Symbol('decode');

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
    const value = words[at + EVENT_VALUE];
    this.type = type;
    this.method = eventMethod(words, at);
    this.statusCode = eventStatusCode(words, at);
    this.httpMajor = (words[at + EVENT_KIND] >>> 12) & 15;
    this.httpMinor = (words[at + EVENT_KIND] >>> 8) & 15;
    this.flags = value & 0xffff;
    this.contentLength = toLength(words[at + EVENT_OFFSET], words[at + EVENT_LENGTH]);
    this.upgrade = (value & EVENT_UPGRADE) !== 0;
    this.shouldKeepAlive = (value & EVENT_KEEP_ALIVE) !== 0;
    this.messageNeedsEof = (value & EVENT_NEEDS_EOF) !== 0;
  }
}

// What the event at words[at] says: see tape.h.

function eventMethod(words, at) {
  return (words[at + EVENT_VALUE] & EVENT_RESPONSE) === 0 ? METHODS[words[at + EVENT_KIND] >>> 16] : null;
}

function eventStatusCode(words, at) {
  return (words[at + EVENT_VALUE] & EVENT_RESPONSE) === 0 ? null : words[at + EVENT_KIND] >>> 16;
}

// 64 bits: a number as long as that is exact.
function toLength(high, low) {
  return high < 1 << 21 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
}

function chunkSize(words, at) {
  return toLength(words[at + EVENT_VALUE], words[at + EVENT_LENGTH]);
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

function toContentLength(words, at) {
  return toLength(words[at + INFO_LENGTH_HIGH], words[at + INFO_LENGTH_LOW]);
}

// The event at words[at].
function decode(words, at, input) {
  const number = words[at + EVENT_KIND] & 0xff;
  const name = EVENT_NAMES[number];
  if (IS_SPAN[number]) return new SpanEvent(name, input, words[at + EVENT_OFFSET], words[at + EVENT_LENGTH]);
  if (number === HEADERS_COMPLETE || number === MESSAGE_COMPLETE) return new MessageInfo(name, words, at);
  if (number === CHUNK_HEADER) return new ChunkHeaderEvent(name, chunkSize(words, at));
  return new NotificationEvent(name);
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
    const words = tape.length < tape[TAPE_USED] ? this.#longer(tape) : tape;
    const events = this[DECODE](words, words[TAPE_USED], input);
    if (errno === HPE_OK || pausedNow) return events;
    throw new HTTPParserError(errno, native.reason(this.#handle), tape[TAPE_PARSED], events);
  }

  // The events of a parse, which are in words from TAPE_EVENTS to end.
  [DECODE](words, end, input) {
    const events = [];
    for (let at = TAPE_EVENTS; at < end; at += EVENT_WORDS) events.push(decode(words, at, input));
    return events;
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
    const number = tape[TAPE_RECORD + EVENT_KIND] & 0xff;
    const { name, owner, method } = this.#callbacks[number];
    let result;
    if (IS_SPAN[number]) {
      const offset = tape[TAPE_RECORD + EVENT_OFFSET];
      const end = offset + tape[TAPE_RECORD + EVENT_LENGTH];
      result = method.call(owner, this.#input.subarray(offset, end), offset, this);
    } else if (number === HEADERS_COMPLETE || number === MESSAGE_COMPLETE) {
      result = method.call(owner, new MessageInfo(EVENT_NAMES[number], tape, TAPE_RECORD), this);
    } else if (number === CHUNK_HEADER) {
      result = method.call(owner, chunkSize(tape, TAPE_RECORD), this);
    } else {
      result = method.call(owner, this);
    }
    if (result === undefined) return HPE_OK;
    if (typeof result === 'number' && (result | 0) === result) return result;
    throw wrongType(`The result of ${name}`, 'undefined or an integer of 32 bits', result);
  }
}

for (const [name, value] of Object.entries(TYPES)) Object.defineProperty(HTTPParser, name, { value, enumerable: true });

// ---- whole heads ----

const COLLECTED = ['url', 'status', 'headerField', 'headerValue', 'headersComplete', 'body', 'messageComplete'];
const [URL, STATUS, HEADER_FIELD, HEADER_VALUE, , BODY] = COLLECTED.map((name) => EVENT_NUMBERS.get(name));
const SP = 0x20;
const HTAB = 0x09;
const NEAR = 4096; // bytes that are made a string whatever they are

class HeadEvent {
  constructor(words, at, text, headers) {
    const value = words[at + EVENT_VALUE];
    const isResponse = (value & EVENT_RESPONSE) !== 0;
    this.type = 'head';
    this.method = eventMethod(words, at);
    this.url = isResponse ? null : text;
    this.statusCode = eventStatusCode(words, at);
    this.statusMessage = isResponse ? text : null;
    this.httpMajor = (words[at + EVENT_KIND] >>> 12) & 15;
    this.httpMinor = (words[at + EVENT_KIND] >>> 8) & 15;
    this.headers = headers;
    this.flags = value & 0xffff;
    this.contentLength = toLength(words[at + EVENT_OFFSET], words[at + EVENT_LENGTH]);
    this.upgrade = (value & EVENT_UPGRADE) !== 0;
    this.shouldKeepAlive = (value & EVENT_KEEP_ALIVE) !== 0;
    this.messageNeedsEof = (value & EVENT_NEEDS_EOF) !== 0;
  }
}

class MessageCompleteEvent {
  constructor(words, at, trailers) {
    const value = words[at + EVENT_VALUE];
    this.type = 'messageComplete';
    this.trailers = trailers;
    this.upgrade = (value & EVENT_UPGRADE) !== 0;
    this.shouldKeepAlive = (value & EVENT_KEEP_ALIVE) !== 0;
  }
}

// A value without the white space behind it.
function trimmed(value) {
  let end = value.length;
  while (end > 0 && (value.charCodeAt(end - 1) === SP || value.charCodeAt(end - 1) === HTAB)) end--;
  return end === value.length ? value : value.slice(0, end);
}

// Where the spans of a head end that begin at words[at].
function endOfHead(words, at, end) {
  let last = words[at + EVENT_OFFSET];
  for (; at < end; at += EVENT_WORDS) {
    const number = words[at + EVENT_KIND] & 0xff;
    if (number === HEADERS_COMPLETE || number === MESSAGE_COMPLETE || number === BODY) break;
    last = words[at + EVENT_OFFSET] + words[at + EVENT_LENGTH];
  }
  return last;
}

// The names and values of whole lines that begin at words[at]. An array of the right length from the start takes half the
// time of one that grows.
function wholeFields(words, at, end, text, from, blank) {
  const fields = new Array((end - at) / EVENT_WORDS);
  for (let i = 0; at < end; at += 2 * EVENT_WORDS) {
    const name = words[at + EVENT_OFFSET] - from;
    const value = words[at + EVENT_WORDS + EVENT_OFFSET] - from;
    fields[i++] = text.substring(name, name + words[at + EVENT_LENGTH]);
    fields[i++] = text.substring(value, value + words[at + EVENT_WORDS + EVENT_LENGTH]);
  }
  if (blank) for (let i = 1; i < fields.length; i += 2) fields[i] = trimmed(fields[i]);
  return fields;
}

class MessageParser extends HTTPParser {
  #text = ''; // the target or the reason phrase
  #fields = []; // names and values in turns
  #last = MESSAGE_COMPLETE; // the event before this one
  #size = 0;
  #max;

  constructor(type, options = {}) {
    super(type, { lenient: options?.lenient, callbacks: options?.callbacks, events: COLLECTED });
    const { maxHeadSize = 65536 } = options;
    if (!Number.isSafeInteger(maxHeadSize) || maxHeadSize < 0)
      throw fault(RangeError, 'ERR_OUT_OF_RANGE', `maxHeadSize must be a number of bytes, not ${String(maxHeadSize)}`);
    this.#max = maxHeadSize;
  }

  execute(input) {
    if (this.#size > this.#max) throw this.#tooLarge([]);
    return super.execute(input);
  }

  finish() {
    if (this.#size > this.#max) throw this.#tooLarge([]);
    return super.finish();
  }

  reset() {
    super.reset();
    this.#clear();
  }

  #clear() {
    this.#text = '';
    this.#fields = [];
    this.#last = MESSAGE_COMPLETE;
    this.#size = 0;
  }

  #tooLarge(events) {
    const message = `Start-line and field lines have more than ${this.#max} bytes`;
    return Object.defineProperty(fault(Error, 'HPE_HEADER_OVERFLOW', message), 'events', { value: events });
  }

  // The strings of a head are parts of one, which takes one call for all of them.
  [DECODE](words, end, input) {
    const events = [];
    const max = this.#max;
    let fields = this.#fields;
    let last = this.#last;
    let size = this.#size;
    let text = '';
    let from = 0; // text is the input from here
    let to = 0; // to here
    for (let at = TAPE_EVENTS; at < end; at += EVENT_WORDS) {
      const number = words[at + EVENT_KIND] & 0xff;
      if (number === HEADERS_COMPLETE || number === MESSAGE_COMPLETE) {
        if (last === HEADER_VALUE) fields.push(trimmed(fields.pop()));
        if (number === HEADERS_COMPLETE) events.push(new HeadEvent(words, at, this.#text, fields));
        else events.push(new MessageCompleteEvent(words, at, fields));
        this.#text = '';
        fields = [];
        size = 0;
      } else if (number === BODY) {
        events.push(new SpanEvent('body', input, words[at + EVENT_OFFSET], words[at + EVENT_LENGTH]));
      } else {
        const offset = words[at + EVENT_OFFSET];
        const length = words[at + EVENT_LENGTH];
        if (offset + length > to) {
          from = offset;
          to = input.length - from <= NEAR ? input.length : endOfHead(words, at, end);
          text = input.latin1Slice(from, to);
        }
        if (number === HEADER_FIELD && last !== HEADER_FIELD && fields.length === 0) {
          const row = words[at + EVENT_VALUE];
          if (row !== 0) {
            const stop = at + (row & ~EVENT_BLANK) * 2 * EVENT_WORDS;
            fields = wholeFields(words, at, stop, text, from, (row & EVENT_BLANK) !== 0);
            const value = stop - EVENT_WORDS;
            size += words[value + EVENT_OFFSET] + words[value + EVENT_LENGTH] + 2 - offset;
            if (size > max) {
              this.#size = size;
              throw this.#tooLarge(events);
            }
            at = value;
            last = MESSAGE_COMPLETE; // nothing is open
            continue;
          }
        }
        const piece = text.substring(offset - from, offset - from + length);
        size += length;
        if (number === HEADER_FIELD && last !== HEADER_FIELD) {
          size += 4; // colon, space, CR and LF
          if (last === HEADER_VALUE) {
            const value = fields[fields.length - 1];
            if (value.charCodeAt(value.length - 1) <= SP) fields[fields.length - 1] = trimmed(value);
          }
          fields.push(piece);
        } else if (number === HEADER_VALUE && last !== HEADER_VALUE) {
          fields.push(piece);
        } else if (number === URL || number === STATUS) {
          this.#text = last === number ? this.#text + piece : piece;
        } else {
          fields[fields.length - 1] += piece;
        }
        if (size > max) {
          this.#size = size;
          throw this.#tooLarge(events);
        }
      }
      last = number;
    }
    this.#fields = fields;
    this.#last = last;
    this.#size = size;
    return events;
  }
}

module.exports = {
  HTTPParser,
  HTTPParserError,
  MessageParser,
  METHODS,
  ERRNO,
  FLAGS,
  LENIENT,
  version,
  simdLevel,
  simdError,
};
