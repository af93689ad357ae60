// The package in an ES module, and what its types must refuse. types.test.js compiles this; it is never run.
import { HTTPParser, HTTPParserError, MessageParser, ERRNO, FLAGS, LENIENT, METHODS } from 'llhttpgo';
import { simdError, simdLevel, version } from 'llhttpgo';
import type { Callbacks, ErrorCode, HTTPEvent, LenientName, MessageInfo, Method, SpanEvent } from 'llhttpgo';

function exactly<T>(value: T): T {
  return value;
}

// Kinds of events are told apart by their type.
export function describe(event: HTTPEvent): string {
  switch (event.type) {
    case 'headersComplete':
    case 'messageComplete':
      exactly<number | bigint>(event.contentLength);
      return `${exactly<Method | null>(event.method)} ${exactly<number | null>(event.statusCode)}`;
    case 'chunkHeader':
      return String(exactly<number | bigint>(event.size));
    case 'url':
    case 'body':
      return (
        event.toString() + event.toString('utf8') + exactly<Buffer>(event.data).length + exactly<number>(event.offset)
      );
    case 'reset':
      // @ts-expect-error: it has no bytes
      return event.data;
    // @ts-expect-error: there is no such event
    case 'header':
      return '';
    default:
      return event.type;
  }
}

const callbacks: Callbacks = {
  onUrl(data, offset, parser) {
    exactly<Buffer>(data);
    exactly<number>(offset);
    exactly<HTTPParser>(parser).pause();
  },
  onHeadersComplete: (info) => (exactly<MessageInfo>(info).method === 'HEAD' ? 1 : 0),
  onChunkHeader(size) {
    exactly<number | bigint>(size);
  },
  onMessageComplete: () => ERRNO.HPE_PAUSED,
};

const parser = new HTTPParser(HTTPParser.REQUEST, {
  callbacks,
  events: ['url', 'headersComplete'],
  lenient: ['version', 'keepAlive'],
});
new HTTPParser(HTTPParser.BOTH, { events: true, lenient: LENIENT.version | LENIENT.headers });
for (const input of [
  Buffer.alloc(1),
  new Uint8Array(1),
  new DataView(new ArrayBuffer(1)),
  new ArrayBuffer(1),
  new Float64Array(1),
]) {
  exactly<HTTPEvent[]>(parser.execute(input));
}
const spans = parser.finish().filter((event): event is SpanEvent => 'data' in event);
exactly<SpanEvent[]>(spans);
parser.setLenient(['headers'], false);
exactly<Buffer>(parser.rest);
exactly<ErrorCode>(parser.code);
exactly<boolean>(
  (parser.flags & FLAGS.CHUNKED) !== 0 && parser.upgrade && parser.shouldKeepAlive && parser.messageNeedsEof,
);
exactly<readonly Method[]>(METHODS);
exactly<string>(version + simdLevel + (simdError ?? ''));
exactly<6>(ERRNO.HPE_INVALID_METHOD);

try {
  parser.execute(Buffer.alloc(1));
} catch (error) {
  if (error instanceof HTTPParserError && error.code === 'HPE_INVALID_METHOD') {
    exactly<[number, string | null, number, HTTPEvent[]]>([error.errno, error.reason, error.bytesParsed, error.events]);
  }
}

export class Derived extends HTTPParser implements Callbacks {
  url = '';

  onUrl(data: Buffer): void {
    this.url += data.toString('latin1');
  }
}
new Derived(HTTPParser.RESPONSE).execute(Buffer.alloc(0));

// @ts-expect-error: the type is missing
new HTTPParser();
// @ts-expect-error: there is no such type
new HTTPParser(3);
// @ts-expect-error: there is no such callback
new HTTPParser(HTTPParser.REQUEST, { callbacks: { onHeader() {} } });
const asynchronous = { onUrl: async () => 0 };
// @ts-expect-error: a callback must not be asynchronous
new HTTPParser(HTTPParser.REQUEST, { callbacks: asynchronous });
// @ts-expect-error: there is no such flag
exactly<LenientName>('everything');
// @ts-expect-error: text is no bytes
parser.execute('GET / HTTP/1.1\r\n\r\n');
// @ts-expect-error: there is no such error
exactly<boolean>(parser.code === 'HPE_NONE');
// @ts-expect-error: it is read only
parser.method = 'GET';
// @ts-expect-error: so are the tables
ERRNO.HPE_OK = 1;

const messages = new MessageParser(HTTPParser.REQUEST, { maxHeadSize: 1024, lenient: ['headers'] });
for (const event of messages.execute(new Uint8Array())) {
  if (event.type === 'head') {
    const fields: string[] = event.headers;
    const target: string | null = event.url;
    void [fields, target];
  } else if (event.type === 'body') {
    const bytes: Buffer = event.data;
    void bytes;
  } else {
    const trailers: string[] = event.trailers;
    void trailers;
  }
}
const code: ErrorCode = messages.code;
void code;
