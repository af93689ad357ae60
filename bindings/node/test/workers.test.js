// Several threads at once: each loads the addon for itself; threads that end in the middle of a parse.
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { test } = require('node:test');
const { Worker } = require('node:worker_threads');

function start(workerData) {
  return new Worker(path.join(__dirname, 'worker.js'), { workerData });
}

// The first message, and the exit code. Fails if the thread does.
function outcome(worker) {
  return new Promise((resolve, reject) => {
    const messages = [];
    worker.on('message', (message) => messages.push(message));
    worker.on('error', reject);
    worker.on('exit', (code) => resolve({ messages, code }));
  });
}

test('20 threads load it and parse at the same time', async () => {
  const ids = Array.from({ length: 20 }, (_, id) => id);
  const outcomes = await Promise.all(ids.map((id) => outcome(start({ id, task: 'parse', rounds: 2000 }))));
  assert.deepEqual(
    outcomes,
    ids.map((id) => ({ messages: [[`POST /worker/${id} body`]], code: 0 })),
  );
});

for (const task of ['events for ever', 'callbacks for ever', 'one callback for ever']) {
  test(`threads that are terminated: ${task}`, async () => {
    await Promise.all(
      Array.from({ length: 4 }, async (_, id) => {
        const worker = start({ id, task });
        const ended = outcome(worker);
        await new Promise((resolve) => worker.once('message', resolve));
        await worker.terminate();
        assert.deepEqual(await ended, { messages: ['started'], code: 1 });
      }),
    );
    // This thread, and new ones, are none the worse.
    assert.deepEqual(await outcome(start({ id: 1, task: 'parse', rounds: 1 })), {
      messages: [['POST /worker/1 body']],
      code: 0,
    });
  });
}

test('a thread that exits in a callback', async () => {
  assert.deepEqual(await outcome(start({ id: 1, task: 'exit in a callback' })), { messages: [], code: 7 });
});
