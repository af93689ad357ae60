// The examples of README.md, and of the repository's documents, print what is said there.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { readFileSync, readdirSync } = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const examplesOf = (text) => [...text.matchAll(/```js\n(.*?)```\n\n```text\n(.*?)```/gs)];

function printWhatIsSaid(examples) {
  for (const [, script, output] of examples) {
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: __dirname, encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(stdout, output);
  }
}

test('the examples of README.md', () => {
  const readme = readFileSync(path.join(__dirname, '../README.md'), 'utf8');
  const examples = examplesOf(readme);
  assert.equal(examples.length, readme.split('```js').length - 1);
  assert.ok(examples.length >= 3);
  printWhatIsSaid(examples);
});

// There code without an output is code that does not end by itself.
test('the examples of docs', () => {
  const docs = path.join(__dirname, '../../../docs');
  for (const name of readdirSync(docs).filter((name) => name.endsWith('.md'))) {
    printWhatIsSaid(examplesOf(readFileSync(path.join(docs, name), 'utf8')));
  }
});
