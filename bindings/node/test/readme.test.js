// The examples of README.md print what it says.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

test('the examples of README.md', () => {
  const readme = readFileSync(path.join(__dirname, '../README.md'), 'utf8');
  const examples = [...readme.matchAll(/```js\n(.*?)```\n\n```text\n(.*?)```/gs)];
  assert.equal(examples.length, readme.split('```js').length - 1);
  assert.ok(examples.length >= 3);
  for (const [, script, output] of examples) {
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: __dirname, encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(stdout, output);
  }
});
