// The package's documentation. Names, numbers and what they mean come from tables_gen.d.ts.

/// <reference types="node" />

import type { Callbacks, ErrorCode, LenientName, Method, NotificationName, SpanName } from './tables_gen';

export {
  Callbacks,
  CallbackResult,
  ERRNO,
  ErrorCode,
  FLAGS,
  LENIENT,
  LenientName,
  METHODS,
  Method,
  NotificationName,
  SpanName,
} from './tables_gen';

/** llhttp's version whose behaviour this is. */
export const version: string;

/** The kernels in use: `generic`, `sse4.2`, `avx2` or `neon`. The environment variable LLHTTP_SIMD chooses others. */
export const simdLevel: string;

/** What is wrong with LLHTTP_SIMD; null if nothing is. */
export const simdError: string | null;

/** An element of a message, or a piece of one: it is cut where the input ends, and perhaps elsewhere, and a piece
 * may be empty. All pieces come before the event of the same name with `Complete`; those of the body before
 * `chunkComplete` or `messageComplete`. */
export interface SpanEvent {
  readonly type: SpanName;
  /** Where the bytes begin in what was given to `execute`. */
  readonly offset: number;
  readonly length: number;
  /** The bytes: a view of what was given to `execute`, no copy. It changes if that is written to. */
  readonly data: Buffer;
  /** The bytes as text, by default in latin1: one character for each byte. */
  toString(encoding?: BufferEncoding): string;
}

/** What the parser knows of a message. */
export interface MessageInfo {
  readonly type: 'headersComplete' | 'messageComplete';
  /** Method of a request; null for a response. */
  readonly method: Method | null;
  /** Status code of a response; null for a request. */
  readonly statusCode: number | null;
  readonly httpMajor: number;
  readonly httpMinor: number;
  /** Bits of `FLAGS`. */
  readonly flags: number;
  /** Bytes of the body if `flags` has `FLAGS.CONTENT_LENGTH`: a bigint where a number is not exact, from 2**53 on.
   * It is 0 without that flag, and when the message is complete. */
  readonly contentLength: number | bigint;
  /** The connection may leave HTTP after this message: CONNECT, or Upgrade together with "Connection: upgrade". */
  readonly upgrade: boolean;
  /** Another message may follow on the connection. */
  readonly shouldKeepAlive: boolean;
  /** The body lasts until the connection ends: `finish` completes it. */
  readonly messageNeedsEof: boolean;
}

export interface ChunkHeaderEvent {
  readonly type: 'chunkHeader';
  /** Bytes of the chunk, 0 for the last one: a bigint where a number is not exact. */
  readonly size: number | bigint;
}

export interface NotificationEvent {
  readonly type: Exclude<NotificationName, MessageInfo['type'] | ChunkHeaderEvent['type']>;
}

export type HTTPEvent = SpanEvent | MessageInfo | ChunkHeaderEvent | NotificationEvent;

export interface HTTPParserOptions {
  /** Functions that are called at their event, while `execute` or `finish` runs. They are looked up once, when the
   * parser is made, and called as methods of this object. */
  callbacks?: Callbacks;
  /** Which events `execute` and `finish` return: all, none, or those named. By default all if there are no
   * callbacks, none otherwise. An event may have a callback and be returned as well. */
  events?: boolean | ReadonlyArray<SpanName | NotificationName>;
  /** Rules to relax: names, or bits of `LENIENT`. By default none. */
  lenient?: ReadonlyArray<LenientName> | number;
}

/** The input is not HTTP/1, the message is incomplete, a callback has failed, or the parser is paused. Wrong use is
 * no such error, but a TypeError, RangeError or Error with one of Node's codes. */
export class HTTPParserError extends Error {
  constructor(errno: number, reason: string | null, bytesParsed: number, events: HTTPEvent[]);
  /** Name of the error. A callback that returns a number of its own choice may cause another than these:
   * `<unknown>`. */
  readonly code: ErrorCode;
  /** Number of the error: one of `ERRNO`, or what a callback has returned. */
  readonly errno: number;
  readonly reason: string | null;
  /** Where in the input the parser has stopped; 0 if it had stopped before, and for an error of `finish`. For the
   * error of a callback it is the first byte not parsed; for an error in the input, the byte that was not accepted
   * or, with some reasons, the one behind it. */
  readonly bytesParsed: number;
  /** The events before the error, which are as good as any other. Those of a MessageParser are of the type MessageEvent. */
  readonly events: HTTPEvent[];
}

/** The whole head of a message. Its strings are in latin1, one character for each byte, and share the memory of the
 * head. */
export interface HeadEvent extends Omit<MessageInfo, 'type'> {
  readonly type: 'head';
  /** Target of a request, as sent; null for a response. */
  readonly url: string | null;
  /** Reason phrase of a response; null for a request. */
  readonly statusMessage: string | null;
  /** Names and values in turns, in their order: names as sent, values without the white space around them. */
  readonly headers: string[];
}

/** Bytes of the body, without chunked coding. */
export interface BodyEvent extends SpanEvent {
  readonly type: 'body';
}

export interface MessageCompleteEvent {
  readonly type: 'messageComplete';
  /** Names and values of the trailer section in turns. */
  readonly trailers: string[];
  readonly upgrade: boolean;
  readonly shouldKeepAlive: boolean;
}

export type MessageEvent = HeadEvent | BodyEvent | MessageCompleteEvent;

export interface MessageParserOptions {
  /** As those of HTTPParser. They cost the parser its speed. */
  callbacks?: Callbacks;
  /** As those of HTTPParser. */
  lenient?: ReadonlyArray<LenientName> | number;
  /** How many bytes the target or reason phrase and the field lines of a message may have, by default 65536. */
  maxHeadSize?: number;
}

/** Parses one direction of a connection.
 *
 * Events are returned by `execute`, or delivered to callbacks while it runs. Callbacks are given in the options, or
 * are methods of a derived class; see `Callbacks` for their arguments. A callback may return nothing, or a number:
 *
 *  - 0 is the same as nothing;
 *  - `ERRNO.HPE_PAUSED` pauses after this event, as `pause` does;
 *  - `onHeadersComplete` may return 1 for a message that has no body whatever its fields say (the response to
 *    HEAD), or 2 if it has no body and the connection leaves HTTP;
 *  - anything else is an error: for a callback that gets bytes, -1 is HPE_USER, and another number the error's own;
 *    for the others it is the callback's HPE_CB_ error.
 *
 * An exception that a callback throws is thrown by `execute` or `finish`. The parser has then stopped with the
 * callback's error.
 *
 * In a callback the parser must not execute, finish or reset; it may be asked, paused and made lenient, and other
 * parsers may parse. If a callback detaches or shrinks the buffer that is being parsed, `execute` throws, and the
 * parser must be reset.
 *
 * `execute` of a parser that has stopped with an error throws the same error again until it is reset; `finish` then
 * returns nothing.
 *
 * A parser belongs to one thread; other threads may use others. */
export class HTTPParser {
  /** Whichever comes first decides. */
  static readonly BOTH: 0;
  static readonly REQUEST: 1;
  static readonly RESPONSE: 2;

  constructor(type: 0 | 1 | 2, options?: HTTPParserOptions);

  /** Parses bytes. Messages need not begin or end with them. Bytes are neither copied nor kept, save by the events
   * returned.
   *
   * When a callback pauses, or the connection leaves HTTP, it returns early: `code` says which, and `rest` is what it
   * has not parsed.
   *
   * @throws {HTTPParserError} if the parser is in an error or has been paused before, or meets an error
   * @throws {TypeError} if the input is none of these types, detached, or shared between threads
   * @throws {RangeError} if it has 4 GiB or more */
  execute(input: NodeJS.ArrayBufferView | ArrayBuffer): HTTPEvent[];

  /** Tells the parser that the connection has ended: a message that lasts until then is complete. Does nothing if the
   * parser has stopped.
   *
   * @throws {HTTPParserError} HPE_INVALID_EOF_STATE if a message is incomplete */
  finish(): HTTPEvent[];

  /** Makes the parser ready for another connection. Callbacks, lenient flags and type stay; a parser of type BOTH
   * remains decided. */
  reset(): void;

  /** Pauses the parser: in a callback, after its event; if that is `onHeadersComplete` and returns 1 or 2, after the
   * next. Elsewhere, at once: `execute` throws until `resume`. */
  pause(): void;

  /** Ends a pause. Go on with `parser.execute(parser.rest)`, even if that is empty: events may still be due. */
  resume(): void;

  /** Goes on with HTTP where the connection could have left it (`code` is HPE_PAUSED_UPGRADE), as with `resume`. */
  resumeAfterUpgrade(): void;

  /** Changes lenient flags, from the next byte on: those given are set, or cleared. */
  setLenient(lenient: ReadonlyArray<LenientName> | number, enabled?: boolean): void;

  /** Bytes of the last input that `execute` has parsed. */
  readonly bytesParsed: number;
  /** The bytes of the last input that it has not parsed, a view: after a pause, an upgrade or an error. */
  readonly rest: Buffer;
  /** The error or pause that the parser is in; HPE_OK for none. */
  readonly code: ErrorCode;
  /** Text for the last error or pause; null if there was none. */
  readonly reason: string | null;
  /** The lenient flags that are set. */
  readonly lenientFlags: number;

  /** One of BOTH, REQUEST and RESPONSE: what the parser parses, for BOTH what the first message has decided. */
  readonly type: 0 | 1 | 2;
  /** Method of the request, from the event methodComplete on. Null before the first, and for responses. */
  readonly method: Method | null;
  /** Status code of the response, from the event statusComplete on; 0 before. Null for requests. */
  readonly statusCode: number | null;
  /** Version, from the event versionComplete on. */
  readonly httpMajor: number;
  readonly httpMinor: number;
  /** Bits of `FLAGS`: what the fields of the message have said so far. */
  readonly flags: number;
  /** Bytes that the body, or the chunk, still has: a bigint where a number is not exact. */
  readonly contentLength: number | bigint;
  /** See MessageInfo; valid from the event headersComplete on. */
  readonly upgrade: boolean;
  /** See MessageInfo; valid from the event headersComplete until messageComplete. */
  readonly shouldKeepAlive: boolean;
  /** See MessageInfo; valid from the event headersComplete until messageComplete. */
  readonly messageNeedsEof: boolean;
}

/** Parses one direction of a connection and returns whole heads, the pieces of bodies and the ends of messages,
 * however the input is cut: the fastest way to headers in an array. Everything else is as with HTTPParser.
 *
 * A head, or a trailer section, with more bytes than `maxHeadSize` makes `execute` throw an Error with the code
 * HPE_HEADER_OVERFLOW, whose `events` are those before it; the parser then throws it again until it is reset. */
export class MessageParser {
  constructor(type: 0 | 1 | 2, options?: MessageParserOptions);

  /** See HTTPParser. */
  execute(input: NodeJS.ArrayBufferView | ArrayBuffer): MessageEvent[];
  /** See HTTPParser. */
  finish(): MessageEvent[];
}
export interface MessageParser extends Omit<HTTPParser, 'execute' | 'finish'> {}
