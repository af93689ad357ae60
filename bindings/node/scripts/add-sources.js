// Puts what the library is built from into _llhttp, so that a packed package can build it without this repository and
// without the network; npm runs this before it packs the package, and with --remove when that is done.
'use strict';

const { execFileSync } = require('node:child_process');
const { cpSync, mkdirSync, rmSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const repository = path.join(root, '../..');
const sources = path.join(root, '_llhttp');
const license = path.join(root, 'LICENSE');

rmSync(sources, { recursive: true, force: true });
rmSync(license, { force: true });
if (!process.argv.includes('--remove')) {
  mkdirSync(sources);
  // Tests and generators, which are not needed, would be the larger part.
  const filter = (file) => !file.endsWith('_test.go') && path.basename(file) !== '_gen';
  for (const name of ['build.sh', 'go.mod', 'go.sum', 'LICENSE', 'capi', 'core', 'tools/extract']) {
    cpSync(path.join(repository, name), path.join(sources, name), { recursive: true, filter });
  }
  cpSync(path.join(repository, 'LICENSE'), license);
  execFileSync('go', ['mod', 'vendor'], { cwd: sources, stdio: ['ignore', 'ignore', 'inherit'] });
}
