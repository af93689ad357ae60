// The types of the package: the files of test/types compile, strictly, and say themselves what must not.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { test } = require('node:test');

test('the types are right', () => {
  const compiler = require.resolve('typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', path.join(__dirname, 'types')], {
    encoding: 'utf8',
  });
  assert.equal(stdout, '');
  assert.equal(status, 0);
});
