// A small HTTP/1.1 server: node:net for the connections, llhttpgo for the protocol. A handler gets each request when
// it is complete and returns { status, headers, body }, or a promise of it; for an upgrade it gets the socket and what
// the client has already sent.
import { createServer as createTcpServer } from 'node:net';
import { STATUS_CODES } from 'node:http';
import { HTTPParser, HTTPParserError, ERRNO } from 'llhttpgo';

const LARGEST_BODY = 1 << 20;

class Connection {
  #socket;
  #handle;
  #queue = Promise.resolve(); // answers go out in the order of the requests
  #request;
  #name = '';
  #value = '';
  #parser = new HTTPParser(HTTPParser.REQUEST, {
    callbacks: {
      onMessageBegin: () => {
        this.#request = { url: '', headers: {}, trailers: {}, chunks: [], size: 0 };
      },
      onUrl: (data) => {
        this.#request.url += data.toString('latin1');
      },
      onHeaderField: (data) => {
        this.#name += data.toString('latin1');
      },
      onHeaderValue: (data) => {
        this.#value += data.toString('latin1');
      },
      onHeaderValueComplete: () => this.#field(),
      onHeadersComplete: ({ method, upgrade }) => {
        Object.assign(this.#request, { method, upgrade, complete: true });
        if (this.#request.headers.expect === '100-continue') this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      },
      onBody: (data) => {
        this.#request.chunks.push(Buffer.from(data)); // a copy: the socket's buffer will be used again
        this.#request.size += data.length;
        return this.#request.size > LARGEST_BODY ? -1 : ERRNO.HPE_OK;
      },
      onMessageComplete: ({ shouldKeepAlive }) => this.#answer(this.#request, shouldKeepAlive),
    },
  });

  constructor(socket, handle) {
    this.#socket = socket;
    this.#handle = handle;
    socket.on('data', (data) => this.#parse(() => this.#parser.execute(data)));
    socket.on('end', () => {
      this.#parse(() => this.#parser.finish());
      this.#queue = this.#queue.then(() => socket.end());
    });
    socket.on('error', () => socket.destroy());
  }

  #field() {
    const fields = this.#request.complete ? this.#request.trailers : this.#request.headers;
    const name = this.#name.toLowerCase();
    const value = this.#value.trimEnd();
    fields[name] = name in fields ? `${fields[name]}, ${value}` : value;
    this.#name = this.#value = '';
  }

  #parse(step) {
    try {
      step();
    } catch (error) {
      if (!(error instanceof HTTPParserError)) throw error;
      this.#socket.removeAllListeners('data');
      const status = error.code === 'HPE_USER' ? 413 : 400;
      const body = `${error.code} at byte ${error.bytesParsed}: ${error.reason}\n`;
      this.#queue = this.#queue.then(() => this.#write({ status, body }, { keepAlive: false }));
      return;
    }
    if (this.#parser.code !== 'HPE_PAUSED_UPGRADE') return;
    const { rest } = this.#parser;
    this.#socket.removeAllListeners('data');
    this.#queue = this.#queue.then(() => this.#handle({ ...this.#request, socket: this.#socket, rest }));
  }

  #answer(request, keepAlive) {
    if (request.upgrade) return;
    request.body = Buffer.concat(request.chunks);
    this.#queue = this.#queue.then(async () => {
      this.#write(await this.#handle(request), { keepAlive, withoutBody: request.method === 'HEAD' });
    });
  }

  #write({ status = 200, headers = {}, body = '' }, { keepAlive, withoutBody = false }) {
    const bytes = Buffer.from(body);
    const fields = { ...headers, 'Content-Length': bytes.length, Connection: keepAlive ? 'keep-alive' : 'close' };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`);
    if (!withoutBody) this.#socket.write(bytes);
    if (!keepAlive) this.#socket.end();
  }
}

export function createServer(handle) {
  return createTcpServer({ allowHalfOpen: true }, (socket) => new Connection(socket, handle));
}
