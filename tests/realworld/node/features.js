'use strict';
// node:http, server and client, feature by feature, with what must come out written down.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const crypto = require('node:crypto');
const events = require('node:events');
const http = require('node:http');
const net = require('node:net');
const { closed, exchange, expect, fact, library, listen, problem } = require('./common.js');

const host = '127.0.0.1';
const chunked = 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n'; // more fields may follow

async function withServer(options, handler, use) {
  const server = http.createServer(options, handler);
  const port = await listen(server);
  try {
    return await use(port, server);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

// A request by the client; resolves to { response, body }.
function fetched(options, body) {
  return new Promise((resolve, reject) => {
    const req = http.request({ host, ...options }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve({ response, body: Buffer.concat(parts) }));
      response.on('error', reject);
    });
    req.on('error', reject);
    if (typeof body === 'function') body(req);
    else req.end(body);
  });
}

// The client's answer to a canned response, or its error.
async function canned(bytes, options = {}) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  });
  const port = await listen(server);
  try {
    const { response, body } = await fetched({ port, agent: false, ...options });
    return {
      status: response.statusCode,
      headers: response.rawHeaders,
      trailers: response.rawTrailers,
      body: body.toString('latin1'),
    };
  } catch (err) {
    return problem(err);
  } finally {
    server.close();
  }
}

const digest = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex');
const pattern = (size) => {
  // bytes that are the same in each run
  const bytes = Buffer.alloc(size);
  for (let i = 0, x = 1; i < size; i++) bytes[i] = x = (x * 75 + 74) % 65537;
  return bytes;
};
const plain = (res, body) => {
  res.sendDate = false;
  res.end(body);
};

const features = {
  async versions() {
    expect('process.versions.llhttp', process.versions.llhttp, '9.4.3');
    fact('methods', http.METHODS);
  },

  async 'keep-alive'() {
    const ports = new Set();
    await withServer(
      {},
      (req, res) => {
        ports.add(req.socket.remotePort);
        plain(res, req.url);
      },
      async (port) => {
        expect(
          'three requests in turn',
          await exchange(
            port,
            'GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n' +
              'GET /3 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
          ),
          'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nContent-Length: 2\r\n\r\n/1' +
            'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nContent-Length: 2\r\n\r\n/2' +
            'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n/3',
        );
        expect(
          'HTTP/1.0',
          await exchange(port, 'GET /1 HTTP/1.0\r\n\r\nGET /2 HTTP/1.0\r\n\r\n'),
          'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n/1',
        );
        fact(
          'HTTP/1.0, keep-alive',
          await exchange(port, 'GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\n'),
        );
        fact(
          'bytes behind a close',
          await exchange(
            port,
            'GET /1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n',
          ),
        );

        ports.clear();
        const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
        const bodies = [];
        for (let i = 0; i < 100; i++) bodies.push((await fetched({ port, agent, path: `/${i}` })).body.toString());
        expect(
          'answers on one connection of an agent',
          bodies,
          Array.from({ length: 100 }, (_, i) => `/${i}`),
        );
        expect('connections of the agent', ports.size, 1);
        agent.destroy();
      },
    );
    await withServer(
      { keepAlive: true },
      (req, res) => plain(res, 'x'),
      async (port, server) => {
        server.maxRequestsPerSocket = 2;
        fact('maxRequestsPerSocket', await exchange(port, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(3)));
      },
    );
  },

  async 'chunked both ways'() {
    await withServer(
      {},
      (req, res) => {
        const received = crypto.createHash('sha256');
        req.on('data', (part) => received.update(part));
        req.on('end', () => {
          fact('trailers of the request', req.rawTrailers);
          res.sendDate = false;
          res.setHeader('Trailer', 'Checksum');
          for (const size of [1, 10, 255, 256, 65536, 100000]) res.write(pattern(size));
          res.addTrailers({ Checksum: received.digest('hex'), Empty: '' });
          res.end();
        });
      },
      async (port) => {
        const sizes = [1, 2, 15, 16, 17, 4096, 200000];
        const { response, body } = await fetched({ port, method: 'POST', headers: { Trailer: 'X-One' } }, (req) => {
          for (const size of sizes) req.write(pattern(size));
          req.addTrailers({ 'X-One': 'one', 'X-Two': 'two words' });
          req.end();
        });
        expect('the request as it arrived', response.trailers.checksum, digest(Buffer.concat(sizes.map(pattern))));
        expect(
          'the response as it arrived',
          digest(body),
          digest(Buffer.concat([1, 10, 255, 256, 65536, 100000].map(pattern))),
        );
        fact('trailers of the response', response.rawTrailers);
        fact(
          'chunk extensions',
          await exchange(port, `${chunked}Connection: close\r\n\r\n5;a=b;c="d e";f\r\nhello\r\n0;last\r\nT: v\r\n\r\n`),
        );
        expect(
          '16 KiB of chunk extensions',
          (await exchange(port, `${chunked}\r\n5;${'a'.repeat(16385)}\r\nhello\r\n0\r\n\r\n`)).split('\r\n')[0],
          'HTTP/1.1 413 Payload Too Large',
        );
      },
    );
  },

  async 'large bodies'() {
    const size = 10e6;
    await withServer(
      {},
      async (req, res) => {
        const received = crypto.createHash('sha256');
        let count = 0;
        for await (const part of req) {
          // with back-pressure
          received.update(part);
          if (count++ % 16 === 0) await new Promise(setImmediate);
        }
        res.setHeader('Digest', received.digest('hex'));
        res.setHeader('Content-Length', size);
        res.end(pattern(size));
      },
      async (port) => {
        const body = pattern(size);
        for (const headers of [{ 'Content-Length': size }, {}]) {
          const answer = await fetched({ port, method: 'PUT', headers }, body);
          expect('10 MB there', answer.response.headers.digest, digest(body));
          expect('10 MB back', digest(answer.body), digest(body));
        }
      },
    );
  },

  async pipelining() {
    await withServer(
      {},
      (req, res) => {
        // Answers become ready in another order than the requests came.
        setTimeout(() => plain(res, req.url), req.url === '/0' ? 20 : 0);
        req.resume();
      },
      async (port) => {
        const one = (i) =>
          i % 3 === 0
            ? `GET /${i} HTTP/1.1\r\nHost: h\r\n\r\n`
            : i % 3 === 1
              ? `POST /${i} HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody`
              : `POST /${i} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`;
        const last = 'GET /60 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
        const answer = await exchange(port, Array.from({ length: 60 }, (_, i) => one(i)).join('') + last, {
          end: false,
        });
        expect(
          'order of the answers',
          answer.match(/(?<=\r\n\r\n)\/\d+/g),
          Array.from({ length: 61 }, (_, i) => `/${i}`),
        );
      },
    );
  },

  async upgrade() {
    const bytes = 'GET /chat HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nfirst bytes';
    await withServer(
      {},
      (req, res) => plain(res, 'no upgrade'),
      async (port, server) => {
        fact('nobody listens', await exchange(port, bytes));
        server.on('upgrade', (req, socket, head) => {
          expect('head of the upgrade', head.toString(), 'first bytes');
          socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
          socket.write(head);
          socket.pipe(socket);
        });
        expect(
          'upgrade',
          await exchange(port, bytes),
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nfirst bytes',
        );
        const req = http.request({ host, port, headers: { Connection: 'Upgrade', Upgrade: 'echo' } });
        server.removeAllListeners('upgrade');
        server.on('upgrade', (_, socket) =>
          socket.end('HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nHTTP/1.1 200 OK\r\n'),
        );
        req.end();
        const [res, , head] = await events.once(req, 'upgrade');
        expect(
          'client',
          [res.statusCode, res.statusMessage, res.headers.upgrade, head.toString()],
          [101, 'Go', 'echo', 'HTTP/1.1 200 OK\r\n'],
        );
      },
    );
  },

  async connect() {
    await withServer(
      {},
      () => assert.fail('CONNECT is no request'),
      async (port, server) => {
        expect('nobody listens', await exchange(port, 'CONNECT there:443 HTTP/1.1\r\nHost: h\r\n\r\n'), '');
        server.on('connect', (req, socket, head) => {
          fact('CONNECT', [req.method, req.url, req.rawHeaders, head.toString()]);
          socket.write('HTTP/1.1 200 Connected\r\nContent-Length: 3\r\n\r\n');
          socket.write(head);
          socket.on('error', () => {});
          socket.pipe(socket);
        });
        expect(
          'tunnel',
          await exchange(
            port,
            'CONNECT there:443 HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n\0\x16\x03tunnelled',
          ),
          'HTTP/1.1 200 Connected\r\nContent-Length: 3\r\n\r\n\0\x16\x03tunnelled',
        );
        const req = http.request({ host, port, method: 'CONNECT', path: 'there:443', headers: { Host: 'h' } });
        req.end();
        const [res, socket, head] = await events.once(req, 'connect');
        socket.write('through');
        const [back] = await events.once(socket, 'data');
        expect('client', [res.statusCode, head.toString(), back.toString()], [200, '', 'through']);
        socket.destroy();
        await closed(socket);
      },
    );
  },

  async head() {
    await withServer(
      {},
      (req, res) => {
        res.setHeader('Content-Length', 5);
        plain(res, 'hello');
      },
      async (port) => {
        const keep = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n';
        expect(
          'server',
          await exchange(port, 'HEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n'),
          `${keep}${keep}hello`,
        );
        const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
        const seen = [];
        for (const method of ['HEAD', 'GET', 'HEAD', 'HEAD', 'GET'])
          seen.push((await fetched({ port, agent, method })).body.toString());
        expect('client', seen, ['', 'hello', '', '', 'hello']);
        agent.destroy();
      },
    );
    for (const status of [204, 304]) {
      fact(`${status} has no body`, await canned(`HTTP/1.1 ${status} X\r\nContent-Length: 5\r\n\r\nhello`));
    }
  },

  async 'expect-continue and other 1xx'() {
    const seen = [];
    await withServer(
      {},
      (req, res) => {
        res.writeProcessing();
        res.writeEarlyHints({ link: '</style.css>; rel=preload' });
        req.resume().on('end', () => plain(res, 'done'));
      },
      async (port, server) => {
        const ask = (headers) =>
          fetched({ port, method: 'POST', headers }, (req) => {
            req.on('information', (info) => seen.push([info.statusCode, info.rawHeaders]));
            req.on('continue', () => {
              seen.push('continue');
              req.end('body');
            });
            req.flushHeaders();
          });
        const { body } = await ask({ Expect: '100-continue' });
        expect('answer', body.toString(), 'done');
        expect('before it', seen, ['continue', [100, []], [102, []], [103, ['Link', '</style.css>; rel=preload']]]);
        server.on('checkContinue', (req, res) => {
          res.statusCode = 403;
          plain(res, 'refused');
        });
        expect('checkContinue', (await ask({ Expect: '100-continue' })).response.statusCode, 403);
        expect(
          'another expectation',
          (await exchange(port, 'GET / HTTP/1.1\r\nHost: h\r\nExpect: miracles\r\nConnection: close\r\n\r\n')).split(
            '\r\n',
          )[0],
          'HTTP/1.1 417 Expectation Failed',
        );
      },
    );
  },

  async 'malformed requests'() {
    const table = {
      // input: [code, bytesParsed]
      'BREW / HTTP/1.1\r\n\r\n': ['HPE_INVALID_METHOD', 1],
      '\x16\x03\x01\x02': ['HPE_INVALID_METHOD', 0],
      'GET /\x01 HTTP/1.1\r\n\r\n': ['HPE_INVALID_URL', 5],
      'GET / HTTX/1.1\r\n\r\n': ['HPE_INVALID_CONSTANT', 9],
      'GET / HTTP/9.7\r\n\r\n': ['HPE_INVALID_VERSION', 14],
      'GET / HTTP/1.1\r\nHost: h\r\nBad Name: x\r\n\r\n': ['HPE_INVALID_HEADER_TOKEN', 28],
      'GET / HTTP/1.1\r\nHost: h\r\nA: b\0\r\n\r\n': ['HPE_INVALID_HEADER_TOKEN', 29],
      'GET / HTTP/1.1\r\nHost: h\nA: b\r\n\r\n': ['HPE_CR_EXPECTED', 23],
      'GET / HTTP/1.1\r\nHost: h\r\n A: b\r\n\r\n': ['HPE_INVALID_HEADER_TOKEN', 25],
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n': ['HPE_INVALID_CONTENT_LENGTH', 42],
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n': [
        'HPE_UNEXPECTED_CONTENT_LENGTH',
        61,
      ],
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n': [
        'HPE_INVALID_TRANSFER_ENCODING',
        63,
      ],
      'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n': ['HPE_INVALID_TRANSFER_ENCODING', 53],
      'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n': ['HPE_INVALID_CHUNK_SIZE', 56],
      'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab': ['HPE_STRICT', 60],
      'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nGET': ['HPE_CLOSED_CONNECTION', 47],
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n': ['HPE_PAUSED_H2_UPGRADE', 24],
    };
    await withServer(
      { requireHostHeader: false },
      (req, res) => {
        req.on('error', () => {});
        plain(res, 'x');
      },
      async (port, server) => {
        const bad = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';
        for (const input of Object.keys(table).slice(0, 6))
          expect(`answer to ${JSON.stringify(input)}`, await exchange(port, input), bad);
        let failed;
        server.on('clientError', (err, socket) => {
          failed ??= err;
          socket.destroy();
        });
        for (const [input, wanted] of Object.entries(table)) {
          failed = undefined;
          await exchange(port, input);
          expect(JSON.stringify(input), [failed?.code, failed?.bytesParsed], wanted);
          fact('in full', problem(failed));
        }
        failed = undefined;
        await exchange(port, 'POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nhalf');
        fact('a body that breaks off', failed && problem(failed));
        failed = undefined;
        await exchange(port, 'GET / HTTP/1.1\r\nHos');
        expect('a head that breaks off', [failed?.code, failed?.bytesParsed], ['HPE_INVALID_EOF_STATE', 0]);
      },
    );
  },

  async 'malformed responses'() {
    const table = {
      'HTTP/1.1 20 OK\r\n\r\n': ['HPE_INVALID_STATUS', 11],
      'HTTP/1.1 200\x01\r\n\r\n': ['HPE_INVALID_STATUS', 12],
      'HTTQ/1.1 200 OK\r\n\r\n': ['HPE_INVALID_CONSTANT', 3],
      'HTTP/1.1 200 OK\r\nBad Name: x\r\n\r\n': ['HPE_INVALID_HEADER_TOKEN', 20],
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n': [
        'HPE_INVALID_TRANSFER_ENCODING',
        54,
      ],
      'HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n': ['HPE_INVALID_CONTENT_LENGTH', 53],
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n': ['HPE_INVALID_CHUNK_SIZE', 47],
    };
    for (const [input, wanted] of Object.entries(table)) {
      const got = await canned(input);
      expect(JSON.stringify(input), [got.code, got.bytesParsed], wanted);
      fact('in full', got);
    }
    fact('more than Content-Length', await canned('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabcd'));
    fact('less than Content-Length', await canned('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nabcd'));
    fact('chunks that break off', await canned('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel'));
    fact('until the connection closes', await canned('HTTP/1.0 200 OK\r\n\r\neverything'));
  },

  async 'header overflow'() {
    const head = (size) => `GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nA: ${'a'.repeat(size)}\r\n\r\n`;
    const many = (count) => `GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${'A: aaaaaaa\r\n'.repeat(count)}\r\n`;
    const status = async (port, bytes) => Number((await exchange(port, bytes)).split(' ')[1]);
    await withServer(
      {},
      (req, res) => plain(res, 'x'),
      async (port, server) => {
        expect('one field of 15 000 bytes', await status(port, head(15000)), 200);
        expect('one field of 17 000 bytes', await status(port, head(17000)), 431);
        expect('900 fields', await status(port, many(900)), 200);
        expect('2500 fields, more than 16 KiB', await status(port, many(2500)), 431);
        expect(
          'target of 17 000 bytes',
          await status(port, `GET /${'a'.repeat(17000)} HTTP/1.1\r\nHost: h\r\n\r\n`),
          431,
        );
        let failed;
        server.on('clientError', (err, socket) => {
          failed ??= err;
          socket.destroy();
        });
        await exchange(port, head(17000));
        expect('error', failed?.code, 'HPE_HEADER_OVERFLOW');
        fact('in full', { ...problem(failed), rawPacket: failed.rawPacket.length });
      },
    );
    await withServer(
      { maxHeaderSize: 100000 },
      (req, res) => plain(res, String(req.headers.a.length)),
      async (port) => {
        expect('maxHeaderSize', await status(port, head(90000)), 200);
        expect('beyond it', await status(port, head(110000)), 431);
      },
    );
    const large = `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(17000)}\r\nContent-Length: 0\r\n\r\n`;
    expect('client', (await canned(large)).code, 'HPE_HEADER_OVERFLOW');
    expect('client with maxHeaderSize', (await canned(large, { maxHeaderSize: 20000 })).status, 200);
    await withServer(
      {},
      (req, res) => plain(res, String(req.rawHeaders.length)),
      async (port, server) => {
        fact('more than 32 fields, as one list', await exchange(port, many(33)));
        fact(
          'many short fields in the trailer',
          await exchange(port, `${chunked}Connection: close\r\n\r\n0\r\n${'T: v\r\n'.repeat(40)}\r\n`),
        );
        server.maxHeadersCount = 3;
        fact('maxHeadersCount', await exchange(port, many(33)));
      },
    );
  },

  async insecureHTTPParser() {
    const inputs = {
      'Content-Length beside chunked': [`${chunked}Connection: close\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`, 400, 200],
      'a control character in a value': [
        'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nA: b\x01c\r\n\r\n',
        400,
        200,
      ],
      'no CR': ['GET / HTTP/1.1\nHost: h\nConnection: close\n\n', 400, 200],
      'version 1.2': ['GET / HTTP/1.2\r\nHost: h\r\nConnection: close\r\n\r\n', 400, 200],
      'no method of HTTP': ['BREW / HTTP/1.1\r\nHost: h\r\n\r\n', 400, 400],
    };
    const status = async (port, bytes) => Number((await exchange(port, bytes)).split(' ')[1]);
    for (const [name, [bytes, strict, insecure]] of Object.entries(inputs)) {
      for (const [options, wanted] of [
        [{}, strict],
        [{ insecureHTTPParser: true }, insecure],
      ]) {
        await withServer(
          options,
          (req, res) => {
            req.resume();
            plain(res, 'x');
          },
          async (port) => {
            expect(`${name}, ${JSON.stringify(options)}`, await status(port, bytes), wanted);
          },
        );
      }
    }
    const response =
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\nA: \x02\r\n\r\n1\r\nx\r\n0\r\n\r\n';
    expect('client', (await canned(response)).code, 'HPE_INVALID_TRANSFER_ENCODING');
    expect('client, insecure', (await canned(response, { insecureHTTPParser: true })).body, 'x');
    const flag = (args) =>
      spawnSync(
        process.execPath,
        [
          ...args,
          '-e',
          `
      const http = require('node:http');
      const server = http.createServer((req, res) => res.end()).listen(0, () => {
        const client = require('node:net').connect(server.address().port);
        client.on('data', (d) => { console.log(String(d).split('\\r\\n')[0]); process.exit(); });
        client.end('GET / HTTP/1.1\\r\\nHost: h\\r\\nA: b\\x01c\\r\\n\\r\\n');
      });`,
        ],
        { encoding: 'utf8' },
      ).stdout;
    expect('without the flag', flag([]), 'HTTP/1.1 400 Bad Request\n');
    expect('--insecure-http-parser', flag(['--insecure-http-parser']), 'HTTP/1.1 200 OK\n');
    expect(
      '--max-http-header-size',
      flag(['--insecure-http-parser', '--max-http-header-size=10']),
      'HTTP/1.1 431 Request Header Fields Too Large\n',
    );
  },

  async fields() {
    await withServer(
      { joinDuplicateHeaders: true },
      (req, res) => plain(res, JSON.stringify([req.headers, req.rawHeaders])),
      async (port) => {
        fact(
          'duplicates, blanks, bytes beyond ASCII, empty',
          await exchange(
            port,
            'GET / HTTP/1.1\r\nHost: h\r\nCookie: a\r\nCookie: b\r\nX:\t padded \t \r\nx: \xe4\xf6\r\n' +
              'Empty:\r\nAccept: a\r\nAccept: b\r\nConnection: close\r\n\r\n',
          ),
        );
      },
    );
    await withServer(
      {},
      (req, res) => plain(res, 'x'),
      async (port) => {
        expect(
          'Host is required',
          (await exchange(port, 'GET / HTTP/1.1\r\n\r\n')).split('\r\n')[0],
          'HTTP/1.1 400 Bad Request',
        );
        fact(
          'lines before the request',
          await exchange(port, '\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'),
        );
      },
    );
  },

  async timeouts() {
    // Node asks the parser's callbacks when a message began
    const limits = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };
    await withServer(
      limits,
      (req, res) => plain(res, 'x'),
      async (port) => {
        for (const part of [
          '',
          'GET',
          'GET / HTTP/1.1\r\nHost: h\r\n',
          'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf',
        ]) {
          const socket = net.connect(port, host);
          let answer = '';
          socket.on('data', (d) => {
            answer += d.toString('latin1');
          });
          socket.write(part);
          await closed(socket);
          fact(
            `a request that stops behind ${JSON.stringify(part)}`,
            answer.replace(/^Date: .*\r\n/gm, '').split('\r\n')[0],
          );
        }
      },
    );
  },

  async 'clients that go away'() {
    const seen = [];
    let done;
    await withServer(
      {},
      (req) => {
        req.on('error', (err) => seen.push(err.code));
        req.on('close', () => {
          seen.push(req.complete);
          done();
        });
        req.resume();
      },
      async (port) => {
        for (const part of [
          'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf',
          'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nha',
        ]) {
          const over = new Promise((resolve) => {
            done = resolve;
          });
          const socket = net.connect(port, host);
          socket.write(part, () => setTimeout(() => socket.destroy(), 50));
          await over;
        }
      },
    );
    expect('what the server saw', seen, ['ECONNRESET', false, 'ECONNRESET', false]);
  },
};

(async () => {
  for (const [name, run] of Object.entries(features)) {
    fact('feature', name);
    await run();
  }
  library('server and client');
})();
