// The same bytes to Node's own HTTP server and to HTTPParser: same requests, and for malformed ones the same error at
// the same byte. The inputs are such that llhttp 8 and 9 agree; Node 18 has llhttp 6.
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const net = require('node:net');
const { after, before, describe, test } = require('node:test');
const { HTTPParser, HTTPParserError } = require('llhttpgo');

// What Node's server makes of a connection: its requests, in order, and the error that ends it.
let server;
let connection; // of the test under way

async function byNode(text) {
  connection = { requests: [], error: null, rest: null };
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.setNoDelay(true);
  socket.on('error', () => {}); // the server may reset it
  socket.resume();
  socket.end(text, 'latin1');
  await new Promise((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => setImmediate(resolve));
  return connection;
}

class Server extends HTTPParser {
  found = { requests: [], error: null, rest: null };
  #name = '';
  #value = '';
  #fields = [];

  #last() {
    return this.found.requests.at(-1);
  }

  onMessageBegin() {
    this.#fields = [];
    this.url = '';
  }
  onUrl(data) {
    this.url += data.toString('latin1');
  }
  onHeaderField(data) {
    this.#name += data.toString('latin1');
  }
  onHeaderValue(data) {
    this.#value += data.toString('latin1');
  }
  onHeaderValueComplete() {
    this.#fields.push(this.#name, this.#value.replace(/[ \t]+$/, '')); // Node removes white space at the end
    this.#name = '';
    this.#value = '';
  }
  onHeadersComplete({ method, httpMajor, httpMinor }) {
    this.found.requests.push({
      method,
      url: this.url,
      version: `${httpMajor}.${httpMinor}`,
      rawHeaders: this.#fields,
      body: '',
    });
    this.#fields = [];
  }
  onBody(data) {
    this.#last().body += data.toString('latin1');
  }
  onMessageComplete() {
    this.#last().rawTrailers = this.#fields;
  }
}

function byHTTPParser(text) {
  const parser = new Server(HTTPParser.REQUEST);
  const { found } = parser;
  try {
    parser.execute(Buffer.from(text, 'latin1'));
    if (parser.code === 'HPE_PAUSED_UPGRADE') found.rest = parser.rest.toString('latin1');
    parser.finish();
  } catch (error) {
    if (!(error instanceof HTTPParserError)) throw error;
    const { code, reason, bytesParsed } = error;
    found.error = { code, reason, bytesParsed };
  }
  return found;
}

const good = {
  'a simple request': 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'fields as they are':
    'GET /p?q#f HTTP/1.1\r\nHost: a\r\nX-Twice: 1\r\nx-twice:   two words  \r\nEmpty:\r\nLatin: \xe4\xf6\r\n\r\n',
  'a body by length': 'POST /form HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\nhello world',
  'a body in chunks, with extensions and trailers':
    'PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n' +
    '5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nT: end\r\n\r\n',
  'three in a pipeline':
    'GET /1 HTTP/1.1\r\nHost: a\r\n\r\n' +
    'POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok' +
    'GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'HTTP/1.0': 'GET / HTTP/1.0\r\nHost: a\r\n\r\n',
  'an upgrade, and what follows':
    'GET /ws HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x02hi',
  'CONNECT, and what follows': 'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n\x16\x03\x01',
  'a method that is rare': 'M-SEARCH * HTTP/1.1\r\nHost: a\r\n\r\n',
};

const bad = {
  'no HTTP': '\x16\x03\x01\x00',
  'an unknown method': 'GOT / HTTP/1.1\r\n\r\n',
  'a method in small letters': 'get / HTTP/1.1\r\nHost: a\r\n\r\n',
  'a space in the target': 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n',
  'another protocol': 'GET / HTTQ/1.1\r\nHost: a\r\n\r\n',
  'an unknown version': 'GET / HTTP/1.7\r\nHost: a\r\n\r\n',
  'a space in a field name': 'GET / HTTP/1.1\r\nHo st: a\r\n\r\n',
  'a control byte in a field value': 'GET / HTTP/1.1\r\nHost: a\x01\r\n\r\n',
  'two lengths': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  'a length that is none': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1x\r\n\r\n',
  'a length too large': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551616\r\n\r\n',
  'a length beside chunks': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  'chunked, and not the last': 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, deflate\r\n\r\n',
  'a chunk size that is none': 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
  'a chunk that is too long': 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n',
  'a good request, then a bad one': 'GET / HTTP/1.1\r\nHost: a\r\n\r\nBAD\r\n\r\n',
  'a request behind the last one': 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\n\r\n',
  'half a request': 'GET / HTTP/1.1\r\nHos',
  'half a body': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab',
};

const skip = Number.parseInt(process.versions.llhttp) < 8 && `Node's own parser is llhttp ${process.versions.llhttp}`;

describe('the same as by Node', { skip }, () => {
  before(async () => {
    server = http.createServer((request, response) => {
      const found = {
        method: request.method,
        url: request.url,
        version: request.httpVersion,
        rawHeaders: request.rawHeaders,
        body: '',
      };
      connection.requests.push(found);
      request.setEncoding('latin1').on('data', (data) => {
        found.body += data;
      });
      request.on('end', () => {
        found.rawTrailers = request.rawTrailers;
        response.end();
      });
      request.on('error', () => {}); // a malformed body; clientError has it
    });
    server.on('clientError', (error, socket) => {
      connection.error = { code: error.code, reason: error.reason, bytesParsed: error.bytesParsed };
      socket.destroy();
    });
    server.on('upgrade', (request, socket, head) => {
      connection.requests.push({
        method: request.method,
        url: request.url,
        version: request.httpVersion,
        rawHeaders: request.rawHeaders,
        body: '',
        rawTrailers: [],
      });
      connection.rest = head.toString('latin1');
      socket.end();
    });
    server.on('connect', (...values) => server.emit('upgrade', ...values));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  after(() => {
    server.close();
    server.closeAllConnections();
  });

  for (const [name, text] of Object.entries(good)) {
    test(`requests: ${name}`, async () => {
      const wanted = await byNode(text);
      assert.equal(wanted.error, null);
      assert.ok(wanted.requests.length > 0);
      assert.deepEqual(byHTTPParser(text), wanted);
    });
  }

  for (const [name, text] of Object.entries(bad)) {
    test(`an error: ${name}`, async () => {
      const { error } = await byNode(text);
      assert.match(error.code, /^HPE_/);
      assert.deepEqual(byHTTPParser(text).error, error);
    });
  }
});
