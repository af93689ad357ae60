// Nothing is kept that is not in use: after tens of thousands of rounds a process is as large as before.
// test/memory.js measures.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { test } = require('node:test');

// A leak of one parser, or of one tape, per round would be 10 MB and more; without any, up to 3 MB have been seen.
const MOST_HEAP = 2e6;
const MOST_RSS = 7e6;

test('memory does not grow', () => {
  // With a small young generation the process soon has its size.
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--max-semi-space-size=2', path.join(__dirname, 'memory.js')],
    { encoding: 'utf8' },
  );
  assert.equal(stderr, '');
  const results = Object.entries(JSON.parse(stdout));
  assert.ok(results.length >= 10);
  for (const [name, { rounds, heap, rss }] of results) {
    assert.ok(
      heap < MOST_HEAP && rss < MOST_RSS,
      `${name}, ${rounds} rounds: ${heap} bytes more in V8's heap and outside, ${rss} resident`,
    );
  }
});
