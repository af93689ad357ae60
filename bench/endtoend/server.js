'use strict';
// A server of Node that does next to nothing: what is measured is HTTP. Prints its port.
const http = require('node:http');

const body = 'Hello, world!\n';
const headers = { 'Content-Type': 'text/plain', 'Content-Length': body.length };
const server = http.createServer((request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
