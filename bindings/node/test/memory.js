// The process that memory.test.js starts with --expose-gc: does one thing very often and prints how its memory grows.
'use strict';

const { HTTPParser } = require('llhttpgo');

const request = Buffer.from(
  `POST /path HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n${'b'.repeat(1024)}\r\n0\r\n\r\n`,
);
// More events than a tape has room for at first, and more than one that is kept has.
const long = Buffer.from(`GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(2000)}\r\n`);
const longest = Buffer.from(`GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(40000)}\r\n`);
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

const tasks = {
  'one parser, events': [10000, () => one.execute(request)],
  'one parser, callbacks': [10000, () => calling.execute(request)],
  'new parsers': [10000, () => new HTTPParser(HTTPParser.REQUEST).execute(request)],
  'new parsers with callbacks': [
    10000,
    () => new HTTPParser(HTTPParser.REQUEST, { callbacks: { onUrl() {} } }).execute(request),
  ],
  'long tapes': [200, () => one.execute(long)],
  'tapes too long to keep': [12, () => one.execute(longest)],
  errors: [10000, () => quietly(() => new HTTPParser(HTTPParser.REQUEST).execute(bad))],
  exceptions: [
    10000,
    () =>
      quietly(() =>
        new HTTPParser(HTTPParser.REQUEST, {
          callbacks: {
            onUrl() {
              throw new Error();
            },
          },
        }).execute(request),
      ),
  ],
  pauses: [
    10000,
    () => {
      const parser = new HTTPParser(HTTPParser.REQUEST, {
        events: true,
        callbacks: { onUrl: (data, offset, self) => self.pause() },
      });
      parser.execute(request);
      parser.resume();
      parser.execute(parser.rest);
    },
  ],
  'detached buffers': [
    2000,
    () => {
      const { buffer } = new Uint8Array(request);
      const callbacks = {
        onUrl() {
          structuredClone(buffer, { transfer: [buffer] });
        },
      };
      quietly(() => new HTTPParser(HTTPParser.REQUEST, { events: true, callbacks }).execute(buffer));
    },
  ],
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

async function measure([rounds, task]) {
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
  return { rounds: 3 * rounds, heap: after.heap - before.heap, rss: after.rss - before.rss };
}

(async () => {
  const results = {};
  for (const [name, task] of Object.entries(tasks)) results[name] = await measure(task);
  console.log(JSON.stringify(results));
})();
