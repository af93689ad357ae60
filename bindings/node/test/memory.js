// The process that memory.test.js starts with --expose-gc: does one thing very often and prints how its memory grows.
'use strict';

const { HTTPParser } = require('llhttpgo');

const request = Buffer.from(
  `POST /path HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n${'b'.repeat(1024)}\r\n0\r\n\r\n`,
);
// Lines with more events than a tape has room for at first, and more than one that is kept has. Each takes 8 words.
const LONG = 2000;
const LONGEST = 40000;
const long = Buffer.from(`GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(LONG)}\r\n`);
const longest = Buffer.from(`GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(LONGEST)}\r\n`);
const bad = Buffer.from('GET / HTTP/1.1\r\nbad field: 1\r\n\r\n');
const one = new HTTPParser(HTTPParser.REQUEST);
const calling = new HTTPParser(HTTPParser.REQUEST, {
  callbacks: { onUrl() {}, onHeaderField() {}, onBody() {}, onHeadersComplete() {}, onChunkHeader() {} },
});

function quietly(call) {
  try {
    call();
  } catch {
    return;
  }
  throw new Error('that did not fail');
}

function throwing() {
  throw new Error();
}

function pauseAndGoOn() {
  const callbacks = { onUrl: (data, offset, parser) => parser.pause() };
  const parser = new HTTPParser(HTTPParser.REQUEST, { events: true, callbacks });
  parser.execute(request);
  parser.resume();
  parser.execute(parser.rest);
}

function detach() {
  const { buffer } = new Uint8Array(request);
  const callbacks = { onUrl: () => void structuredClone(buffer, { transfer: [buffer] }) };
  new HTTPParser(HTTPParser.REQUEST, { events: true, callbacks }).execute(buffer);
}

function parseOnce(input, callbacks) {
  new HTTPParser(HTTPParser.REQUEST, callbacks && { callbacks }).execute(input);
}

// A number of rounds; the bytes that one round would leave behind if it leaked the smallest thing that it allocates
// outside of V8's heap; and the round.
const PARSER = 350;
const tasks = {
  'one parser, events': [5000, PARSER, () => one.execute(request)],
  'one parser, callbacks': [5000, PARSER, () => calling.execute(request)],
  'new parsers': [5000, PARSER, () => parseOnce(request)],
  'new parsers with callbacks': [5000, PARSER, () => parseOnce(request, { onUrl() {} })],
  'long tapes': [100, 8 * 4 * LONG, () => one.execute(long)],
  'tapes too long to keep': [12, 8 * 4 * LONGEST, () => one.execute(longest)],
  errors: [5000, PARSER, () => quietly(() => parseOnce(bad))],
  exceptions: [5000, PARSER, () => quietly(() => parseOnce(request, { onUrl: throwing }))],
  pauses: [5000, PARSER, pauseAndGoOn],
  'detached buffers': [1500, PARSER + request.length, () => quietly(detach)],
};

// Memory in use once all that is garbage is collected. Finalizers run between two turns of the event loop.
async function used() {
  for (let i = 0; i < 4; i++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

async function measure([rounds, leak, task]) {
  const run = async () => {
    for (let i = 0; i < rounds; i++) {
      task();
      if (i % 500 === 499) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await run(); // allocators take what they need
  await run();
  const before = await used();
  for (let i = 0; i < 3; i++) await run();
  const after = await used();
  return { heap: after.heap - before.heap, rss: after.rss - before.rss, leak: 3 * rounds * leak };
}

(async () => {
  const results = {};
  for (const [name, task] of Object.entries(tasks)) results[name] = await measure(task);
  console.log(JSON.stringify(results));
})();
