// Nothing is kept that is not in use: after tens of thousands of rounds a process is as large as before.
// test/memory.js measures.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { test } = require('node:test');

// V8 counts what is in its heap and outside to the byte; what is resident goes up and down by a few MB at most, and less
// than half of what a leak would make of it.
const MOST_HEAP = 2e6;

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
  for (const [name, { heap, rss, leak }] of results) {
    assert.ok(heap < MOST_HEAP && rss < leak / 2, `${name}: V8 has ${heap} bytes more, resident are ${rss} more`);
  }
});
