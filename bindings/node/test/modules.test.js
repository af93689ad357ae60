// The package as others load it: by require, by import, with other kernels; and that nobody can change its tables.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { test } = require('node:test');
const llhttpgo = require('llhttpgo');
const manifest = require('llhttpgo/package.json');

const names = [
  'HTTPParser',
  'HTTPParserError', 'MessageParser', 
  'METHODS',
  'ERRNO',
  'FLAGS',
  'LENIENT',
  'version',
  'simdLevel',
  'simdError',
];

test('require and import give the same', async () => {
  assert.deepEqual(Object.keys(llhttpgo), names);
  const imported = await import('llhttpgo');
  for (const name of names) assert.equal(imported[name], llhttpgo[name]);
  assert.equal(imported.default, llhttpgo);
});

test("the version is the library's", () => {
  assert.equal(llhttpgo.version, manifest.version);
});

test('nobody can change the tables', () => {
  for (const name of ['METHODS', 'ERRNO', 'FLAGS', 'LENIENT']) assert.ok(Object.isFrozen(llhttpgo[name]), name);
  assert.throws(() => {
    llhttpgo.HTTPParser.REQUEST = 7;
  }, TypeError);
});

test('LLHTTP_SIMD chooses the kernels; a wrong one is reported', () => {
  const load = (level) => {
    const { stdout } = spawnSync(
      process.execPath,
      ['-p', 'const { simdLevel, simdError } = require("llhttpgo"); JSON.stringify([simdLevel, simdError])'],
      { cwd: path.join(__dirname, '..'), env: { ...process.env, LLHTTP_SIMD: level }, encoding: 'utf8' },
    );
    return JSON.parse(stdout);
  };
  assert.deepEqual(load('generic'), ['generic', null]);
  const [level, error] = load('avx9');
  assert.ok(['generic', 'sse4.2', 'avx2', 'neon'].includes(level));
  assert.match(error, /^LLHTTP_SIMD=avx9 is ignored: unknown level/);
});
