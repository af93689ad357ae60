'use strict';
// Every request of tests/cases to an http.Server: over a socket, where the server answers by itself, and in memory,
// whole and byte by byte, where a listener is told of the error.
//
//   requests.js --cases FILE [--validation strict|relaxed|insecure]

const http = require('node:http');
const {
  Log,
  Wire,
  cases,
  closed,
  exchange,
  fact,
  library,
  listen,
  option,
  problem,
  validating,
} = require('./common.js');

const validation = option('validation', 'strict');
const logs = new WeakMap(); // by socket

function answer(req, res) {
  logs.get(req.socket)?.message('request', req);
  req.on('error', () => {});
  res.sendDate = false;
  res.end('answered');
}

function make() {
  const server = http.createServer({ ...validating(validation), requireHostHeader: false }, answer);
  for (const event of ['upgrade', 'connect']) {
    server.on(event, (req, socket, head) => {
      const log = logs.get(socket);
      log?.message(event, req);
      log?.add('head', head.toString('latin1'));
      socket.on('error', () => {});
      socket.end('switched');
      socket.resume();
    });
  }
  return server;
}

async function inMemory(server, bytes, size) {
  const wire = new Wire();
  const log = new Log();
  logs.set(wire, log);
  wire.on('error', () => {});
  server.emit('connection', wire);
  await Promise.race([wire.feed(bytes, size), closed(wire)]);
  await closed(wire);
  return { events: log.events, output: wire.output };
}

(async () => {
  const alone = make();
  const port = await listen(alone);
  const watched = make();
  watched.on('clientError', (err, socket) => {
    logs.get(socket).add('clientError', problem(err));
    socket.destroy();
  });
  for (const { name, bytes } of cases('request', validation)) {
    fact(`${name}: over a socket`, await exchange(port, bytes));
    fact(`${name}: in memory`, await inMemory(watched, bytes));
    fact(`${name}: byte by byte`, await inMemory(watched, bytes, 1));
  }
  library('server');
  alone.close();
})();
