'use strict';
// A NUL in a field value, with httpValidation relaxed: from this llhttp never returns, and the server with it.

const http = require('node:http');
const { exchange, expect, library, listen } = require('./common.js');

(async () => {
  const server = http.createServer({ httpValidation: 'relaxed' }, (req, res) => res.end());
  const port = await listen(server);
  expect(
    'answer',
    await exchange(port, 'GET / HTTP/1.1\r\nHost: h\r\nA: b\0c\r\n\r\n'),
    'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n',
  );
  library('server');
  server.close();
})();
