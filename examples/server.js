#!/usr/bin/env node
// A small HTTP/1.1 server on node:net and the addon llhttpgo, which does the parsing; node:http is not used.
//
//     npm install --no-save --omit=dev ./bindings/node
//     examples/server.js [PORT [SECONDS]]
//
// PORT: default 8080, 0 for any; SECONDS: what a client may take, default 10.
//
// It answers / and /chunked, and sends back what is posted to /echo, in chunked coding if it came so. Bytes go from the
// socket to HTTPParser.execute, whose events go to Connection.on, which writes to the socket. What must hold: answers
// are in the order of the requests, and behind the last one (`closing`) no event is looked at.
'use strict';

const net = require('node:net');
const { STATUS_CODES } = require('node:http');
const { HTTPParser, HTTPParserError, FLAGS } = require('llhttpgo');

const MAX_TARGET = 8000; // bytes of a request-target: 414 beyond
const MAX_FIELD_BYTES = 65536; // bytes of all field lines of a request, trailers too: 431 beyond
const MAX_FIELDS = 100; // field lines: 431 beyond
const MAX_EXTENSIONS = 16384; // bytes of all chunk extensions of a request: 413 beyond
const MAX_BODY = 1 << 20; // bytes of a body: 413 beyond
const HELLO = 'Hello, world\n';

const open = new Set();
let ending = false; // the server answers what is under way, and then ends

// The status for an error of the parser; 0: there is nobody to answer.
function statusOf({ code, reason }) {
  if (code === 'HPE_CLOSED_CONNECTION') return 0;
  if (code === 'HPE_INVALID_METHOD' && reason === 'Invalid method encountered') return 501;
  if (code === 'HPE_INVALID_VERSION' && reason === 'Invalid HTTP version') return 505;
  return 400;
}

class Connection {
  #socket;
  #parser = new HTTPParser(HTTPParser.REQUEST, {
    events: [
      'messageBegin',
      'url',
      'headerField',
      'headerValue',
      'headerValueComplete',
      'headersComplete',
      'chunkExtensionName',
      'chunkExtensionValue',
      'body',
      'messageComplete',
    ],
  });
  #request = null; // the request under way
  #closing = false; // no further request; our side is shut
  #patience;
  #timer;

  constructor(socket, patience) {
    this.#socket = socket;
    this.#patience = patience;
    open.add(this);
    this.#waitAgain();
    socket.on('data', (data) => this.#parse(data));
    // A client that sends requests and reads no answers must not fill our memory.
    socket.on('drain', () => socket.resume());
    socket.on('end', () => this.#shut()); // no more requests; answers that wait are still written
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(this.#timer);
      open.delete(this);
    });
  }

  // Called when the server ends.
  end() {
    if (this.#request === null) this.#socket.destroySoon();
  }

  #waitAgain() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#request === null || this.#closing) return this.#socket.destroy();
      this.#refuse(408);
      return this.#waitAgain();
    }, this.#patience);
  }

  #parse(data) {
    while (!this.#closing && data !== null) {
      let events;
      let failure = null;
      try {
        events = this.#parser.execute(data);
      } catch (error) {
        if (!(error instanceof HTTPParserError)) throw error;
        ({ events } = error);
        failure = error;
      }
      for (const event of events) {
        this.#on(event);
        if (this.#closing) return;
      }
      data = null;
      if (failure !== null) {
        this.#refuse(statusOf(failure));
      } else if (this.#parser.code === 'HPE_PAUSED_H2_UPGRADE') {
        this.#refuse(505);
      } else if (this.#parser.code === 'HPE_PAUSED_UPGRADE') {
        data = this.#parser.rest; // declined: the request has been answered as any other
        this.#parser.resumeAfterUpgrade();
      }
    }
  }

  #on(event) {
    const request = this.#request;
    switch (event.type) {
      case 'messageBegin':
        this.#request = { url: '', name: '', value: '', fields: 0, fieldBytes: 0, extensionBytes: 0, hosts: 0,
          expects: '', body: [], bodyBytes: 0, trailing: false };
        this.#waitAgain(); // for the whole head: single bytes do not prolong it
        break;
      case 'url':
        if (request.url.length + event.length > MAX_TARGET) this.#refuse(414);
        else request.url += event;
        break;
      case 'headerField':
      case 'headerValue':
        request.fieldBytes += event.length;
        if (request.fieldBytes > MAX_FIELD_BYTES) this.#refuse(431);
        else request[event.type === 'headerField' ? 'name' : 'value'] += event;
        break;
      case 'headerValueComplete':
        this.#onField(request);
        break;
      case 'headersComplete':
        this.#onHeadersComplete(event, request);
        break;
      case 'chunkExtensionName':
      case 'chunkExtensionValue':
        request.extensionBytes += event.length;
        if (request.extensionBytes > MAX_EXTENSIONS) this.#refuse(413);
        break;
      case 'body':
        request.bodyBytes += event.length;
        if (request.bodyBytes > MAX_BODY) this.#refuse(413);
        else request.body.push(event.data); // the socket's buffer is not used again
        this.#waitAgain();
        break;
      case 'messageComplete':
        this.#respond(event.shouldKeepAlive && !ending);
        this.#request = null;
        this.#waitAgain();
    }
  }

  #onField(request) {
    const name = request.name.toLowerCase();
    if (!request.trailing && name === 'host') request.hosts++;
    if (!request.trailing && name === 'expect') request.expects = request.value.toLowerCase();
    request.name = request.value = '';
    if (++request.fields > MAX_FIELDS) this.#refuse(431);
  }

  #onHeadersComplete(event, request) {
    const { httpMajor, httpMinor, flags, contentLength } = event;
    Object.assign(request, { head: event, trailing: true });
    const hasBody = (flags & FLAGS.CHUNKED) !== 0 || contentLength > 0;
    if (httpMajor !== 1) this.#refuse(505);
    else if (httpMinor >= 1 && request.hosts !== 1) this.#refuse(400); // RFC 9112, Section 3.2
    else if (event.method === 'CONNECT') this.#refuse(501);
    else if (request.expects !== '' && request.expects !== '100-continue') this.#refuse(417);
    else if (contentLength > MAX_BODY) this.#refuse(413);
    else if (request.expects !== '' && hasBody && httpMinor >= 1) this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  }

  #respond(keepAlive) {
    const { url, body, head } = this.#request;
    const reads = head.method === 'GET' || head.method === 'HEAD';
    const echo = url === '/echo';
    if (!reads && head.method !== 'POST') this.#answer(501, '', { keepAlive });
    else if (!['/', '/chunked', '/echo'].includes(url)) this.#answer(404, 'Not Found\n', { keepAlive });
    else if (reads === echo) this.#answer(405, '', { keepAlive });
    else if (!echo) this.#answer(200, HELLO, { keepAlive, chunked: url === '/chunked' });
    else this.#answer(200, Buffer.concat(body), { keepAlive, chunked: (head.flags & FLAGS.CHUNKED) !== 0 });
  }

  #answer(status, body, { chunked = false, keepAlive }) {
    const head = this.#request?.head;
    const old = head?.httpMajor === 1 && head.httpMinor === 0;
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Date: ${new Date().toUTCString()}`,
      'Content-Type: text/plain',
    ];
    if (status === 405) lines.push('Allow: GET, HEAD, POST');
    if (!keepAlive) lines.push('Connection: close');
    else if (old) lines.push('Connection: keep-alive');
    const inChunks = chunked && !old;
    lines.push(inChunks ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`, '', '');
    const parts = [Buffer.from(lines.join('\r\n'), 'latin1')];
    if (head?.method !== 'HEAD') {
      if (inChunks && body.length > 0) parts.push(Buffer.from(`${body.length.toString(16)}\r\n`));
      parts.push(Buffer.from(body));
      if (inChunks) parts.push(Buffer.from(body.length > 0 ? '\r\n0\r\n\r\n' : '0\r\n\r\n'));
    }
    if (!this.#socket.write(Buffer.concat(parts))) this.#socket.pause();
    if (!keepAlive) this.#shut();
  }

  // The last answer of a connection: nothing behind it can be parsed, or shall be.
  #refuse(status) {
    if (status === 0) this.#shut();
    else this.#answer(status, STATUS_CODES[status], { keepAlive: false });
  }

  // Shuts our side. To close with bytes unread would reset the connection, and the client might lose the answer.
  #shut() {
    if (this.#closing) return;
    this.#closing = true;
    this.#socket.end();
    this.#socket.resume();
    this.#waitAgain();
  }
}

const [port = '8080', seconds = '10'] = process.argv.slice(2);
const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
  new Connection(socket, Number(seconds) * 1000);
});
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}/`);
});
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    ending = true;
    server.close();
    for (const connection of open) connection.end();
  });
}
