// A thread of workers.test.js: loads the package, then does what workerData says, and reports with messages.
'use strict';

const { parentPort, workerData } = require('node:worker_threads');
const { HTTPParser } = require('llhttpgo');

const { id, task, rounds } = workerData;
const request = Buffer.from(`POST /worker/${id} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody`);

// Parses one request, and returns its URL and body.
function parse() {
  let url = '';
  let body = '';
  const parser = new HTTPParser(HTTPParser.REQUEST, {
    events: ['messageComplete'],
    callbacks: {
      onUrl: (data) => {
        url += data;
      },
      onBody: (data) => {
        body += data;
      },
    },
  });
  const [complete] = parser.execute(request);
  return `${complete.method} ${url} ${body}`;
}

if (task === 'parse') {
  const results = new Set();
  for (let i = 0; i < rounds; i++) results.add(parse());
  parentPort.postMessage([...results]);
} else if (task === 'events for ever') {
  const parser = new HTTPParser(HTTPParser.REQUEST);
  parentPort.postMessage('started');
  for (;;) parser.execute(request);
} else if (task === 'callbacks for ever') {
  const parser = new HTTPParser(HTTPParser.REQUEST, { callbacks: { onUrl() {}, onBody() {} } });
  parentPort.postMessage('started');
  for (;;) parser.execute(request);
} else if (task === 'one callback for ever') {
  const parser = new HTTPParser(HTTPParser.REQUEST, {
    callbacks: {
      onUrl() {
        parentPort.postMessage('started');
        for (;;);
      },
    },
  });
  parser.execute(request);
  parentPort.postMessage('it went on');
} else if (task === 'exit in a callback') {
  new HTTPParser(HTTPParser.REQUEST, { callbacks: { onUrl: () => process.exit(7) } }).execute(request);
  parentPort.postMessage('it went on');
}
