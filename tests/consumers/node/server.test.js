// The server with clients that are not ours: node:http, fetch, and bytes on a socket.
import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { createServer } from './server.js';

let server;
let port;
const sockets = new Set();

before(async () => {
  server = createServer(async ({ method, url, headers, trailers, body, socket, rest }) => {
    if (socket !== undefined) {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.write(rest);
      socket.pipe(socket);
      return undefined;
    }
    if (url === '/slow') await new Promise((resolve) => setTimeout(resolve, 50));
    return {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ method, url, headers, trailers, body: String(body) }),
    };
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address());
});

after(() => {
  server.close();
  for (const socket of sockets) socket.destroy(); // fetch keeps its connection
});

function request(options, ...chunks) {
  return new Promise((resolve, reject) => {
    const message = http.request({ host: '127.0.0.1', port, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (data) => (text += data));
      response.on('end', () => resolve({ response, text, reused: message.reusedSocket }));
    });
    message.on('error', reject);
    chunks.forEach((chunk) => message.write(chunk));
    if (options.trailers) message.addTrailers(options.trailers);
    message.end();
  });
}

// What the server sends on a connection that gets these bytes, in pieces.
function raw(...pieces) {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', async () => {
      for (const piece of pieces) {
        socket.write(piece, 'latin1');
        await new Promise((done) => setTimeout(done, 5));
      }
      socket.end();
    });
    socket.setNoDelay(true);
    socket.setEncoding('latin1').on('data', (data) => (text += data));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

test('a connection that is kept: GET, POST by length, POST in chunks with trailers, HEAD', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const get = await request({ agent, path: '/one?a=b', headers: { 'X-Twice': ['1', '2'] } });
  assert.equal(get.response.statusCode, 200);
  assert.deepEqual([JSON.parse(get.text).method, JSON.parse(get.text).url], ['GET', '/one?a=b']);
  assert.equal(JSON.parse(get.text).headers['x-twice'], '1, 2');

  const post = await request({ agent, method: 'POST', path: '/two', headers: { 'Content-Length': 5 } }, 'hel', 'lo');
  assert.equal(JSON.parse(post.text).body, 'hello');
  const chunked = await request(
    { agent, method: 'POST', path: '/three', headers: { Trailer: 'X-End' }, trailers: { 'X-End': 'yes' } },
    'a',
    'bc',
  );
  assert.equal(JSON.parse(chunked.text).body, 'abc');
  assert.deepEqual(JSON.parse(chunked.text).trailers, { 'x-end': 'yes' });
  const head = await request({ agent, method: 'HEAD', path: '/four' });
  assert.equal(head.text, '');
  assert.ok(Number(head.response.headers['content-length']) > 0);
  assert.deepEqual(
    [get, post, chunked, head].map(({ reused }) => reused),
    [false, true, true, true],
  );
  agent.destroy();
});

test('fetch, with a large body', async () => {
  const body = 'x'.repeat(900000);
  const response = await fetch(`http://127.0.0.1:${port}/fetch`, { method: 'PUT', body });
  assert.equal((await response.json()).body, body);
  const tooLarge = await fetch(`http://127.0.0.1:${port}/fetch`, { method: 'PUT', body: 'x'.repeat(1100000) }).catch(
    () => null,
  );
  assert.ok(tooLarge === null || tooLarge.status === 413, 'refused, or cut off');
});

test('a pipeline, byte by byte, is answered in order', async () => {
  const text = await raw(...'GET /slow HTTP/1.1\r\n\r\nGET /fast HTTP/1.1\r\nConnection: close\r\n\r\n');
  assert.deepEqual(
    [...text.matchAll(/"url":"(.*?)"/g)].map((match) => match[1]),
    ['/slow', '/fast'],
  );
  assert.match(text, /Connection: close/);
});

test('an upgrade: what follows is not HTTP', async () => {
  const text = await raw('GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\nfirst,', 'second');
  assert.match(text, /^HTTP\/1\.1 101 .*\r\n\r\nfirst,second$/s);
});

test('malformed requests get 400 and a reason, after the answers to those before', async () => {
  const cases = [
    ['BAD / HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 .*HPE_INVALID_METHOD at byte 1: Invalid method encountered\n$/s],
    [
      'GET / HTTP/1.1\r\nCont ent: 1\r\n\r\n',
      /^HTTP\/1\.1 400 .*HPE_INVALID_HEADER_TOKEN at byte 20: Invalid header token\n$/s,
    ],
    ['GET /slow HTTP/1.1\r\n\r\nBAD', /^HTTP\/1\.1 200 .*"\/slow".*HTTP\/1\.1 400 .*HPE_INVALID_METHOD/s],
    ['GET / HTTP/1.1\r\nHost:', /^HTTP\/1\.1 400 .*HPE_INVALID_EOF_STATE/s],
    ['POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', /^HTTP\/1\.1 400 .*HPE_INVALID_/s],
  ];
  for (const [bytes, answer] of cases) assert.match(await raw(bytes), answer);
});
