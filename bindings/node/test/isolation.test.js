// The addon runs its own llhttp_* functions. Node exports functions of the same names, or is linked with a library
// that does, and the dynamic linker would prefer those to the addon's if the addon's could be seen from outside.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');

const build = path.join(__dirname, '../build');
const addon = path.join(build, 'llhttp.node');

function symbols(...args) {
  return execFileSync('nm', ['-D', ...args], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .map((line) => line.trim().split(/\s+/).at(-1));
}

// The llhttp_* functions that the dynamic linker has bound for an addon, each with the file that it found it in.
function bindings(file) {
  const { stderr, status } = spawnSync(process.execPath, ['-e', `require(${JSON.stringify(file)})`], {
    encoding: 'utf8',
    env: { ...process.env, LD_DEBUG: 'bindings', LD_BIND_NOW: '1' },
    maxBuffer: 1 << 28,
  });
  assert.equal(status, 0);
  assert.match(stderr, /binding file .*napi_/, 'the dynamic linker reports');
  return stderr.split('\n').filter((line) => line.includes(`binding file ${file} `) && /symbol `llhttp_/.test(line));
}

test('it shows nothing but its entry, and asks nobody for llhttp', () => {
  assert.deepEqual(symbols('--defined-only', addon).sort(), [
    'napi_register_module_v1',
    'node_api_module_get_api_version_v1',
  ]);
  assert.deepEqual(
    symbols('--undefined-only', addon).filter((name) => name.startsWith('llhttp')),
    [],
  );
  assert.deepEqual(bindings(addon), []);
});

// An llhttp without this flag accepts no control byte; 9.4.3, which has it, never returns from a NUL.
test('it does what no llhttp does', () => {
  const script = `
    const { HTTPParser } = require('llhttpgo');
    const parser = new HTTPParser(HTTPParser.REQUEST, { lenient: ['headerValueRelaxed'], events: ['headerValue'] });
    const execute = (value) => String(parser.execute(Buffer.from('GET / HTTP/1.1\\r\\nA: ' + value + '\\r\\n\\r\\n')));
    const accepted = execute('b\\x01') === 'b\\x01';
    let code;
    try { execute('b\\0') } catch (error) { code = error.code }
    console.log(accepted, code);`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { cwd: __dirname, encoding: 'utf8', timeout: 60000 });
  assert.equal(stdout, 'true HPE_INVALID_HEADER_TOKEN\n');
});

test('linked without care it would run another llhttp', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'llhttp '));
  try {
    const careless = path.join(folder, 'careless.node');
    const cache = readFileSync(path.join(build, 'CMakeCache.txt'), 'utf8');
    const [library, ...include] = ['LLHTTP_LIBRARY', 'LLHTTP_INCLUDE_DIR', 'NODE_INCLUDE_DIR'].map(
      (name) => new RegExp(`^${name}:[A-Z]*=(.*)$`, 'm').exec(cache)[1],
    );
    const sources = ['addon', 'parser', 'tape'].map((name) => path.join(__dirname, `../src/${name}.c`));
    const flags = ['-shared', '-fPIC', '-fvisibility=hidden', ...include.map((folder) => `-I${folder}`)];
    execFileSync(process.env.CC ?? 'cc', [...flags, '-o', careless, ...sources, library]);
    const bound = bindings(careless);
    assert.ok(
      bound.some((line) => line.includes('symbol `llhttp_execute')),
      bound.join('\n'),
    );
    assert.ok(symbols('--defined-only', careless).includes('llhttp_execute'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
