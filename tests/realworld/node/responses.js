'use strict';
// Every response of tests/cases to http.request: over a socket, and in memory, whole and byte by byte. The request is
// a GET; in memory also a HEAD, which has no body whatever the response says, and a CONNECT.
//
//   responses.js --cases FILE [--validation strict|relaxed|insecure]

const http = require('node:http');
const net = require('node:net');
const { Log, Wire, cases, fact, library, listen, option, problem, validating } = require('./common.js');

const validation = option('validation', 'strict');

// Resolves to what the client saw when its socket is closed.
function request(options) {
  return new Promise((resolve) => {
    const log = new Log();
    const req = http.request({ ...validating(validation), ...options });
    req.on('information', (info) =>
      log.add('information', {
        statusCode: info.statusCode,
        statusMessage: info.statusMessage,
        httpVersion: info.httpVersion,
        rawHeaders: info.rawHeaders,
      }),
    );
    req.on('continue', () => log.add('continue'));
    req.on('response', (res) => log.message('response', res));
    for (const event of ['upgrade', 'connect']) {
      req.on(event, (res, socket, head) => {
        log.message(event, res);
        log.add('head', head.toString('latin1'));
        socket.destroy();
      });
    }
    req.on('error', (err) => log.add('error', problem(err)));
    req.on('socket', (socket) => socket.on('close', () => setImmediate(() => resolve(log.events))));
    req.end();
  });
}

async function inMemory(bytes, size, method) {
  const wire = new Wire();
  const seen = request({ method, path: 'example.org:80', createConnection: () => wire });
  wire.once('sent', () => setImmediate(() => wire.feed(bytes, size)));
  return seen;
}

(async () => {
  let response;
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(response));
  });
  const port = await listen(server);
  for (const { name, bytes } of cases('response', validation)) {
    response = bytes;
    fact(`${name}: over a socket`, await request({ port, host: '127.0.0.1', agent: false }));
    fact(`${name}: in memory`, await inMemory(bytes, undefined, 'GET'));
    fact(`${name}: byte by byte`, await inMemory(bytes, 1, 'GET'));
    fact(`${name}: to HEAD`, await inMemory(bytes, undefined, 'HEAD'));
    fact(`${name}: to CONNECT`, await inMemory(bytes, undefined, 'CONNECT'));
  }
  library('client');
  server.close();
})();
