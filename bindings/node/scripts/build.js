// Builds build/llhttp.node: npm runs this when the package is installed. Nothing is downloaded.
//
// Three things are looked for, and what is missing is said:
//  - node_api.h, in the Node installation that runs this, or below npm's "nodedir";
//  - the library: in the prefix that LLHTTP_PREFIX names; else its sources, which Go compiles: those of the
//    repository that this package lies in, or those that were packed with it; else, if there are no sources or no Go,
//    where pkg-config knows it;
//  - cmake, with what it needs to compile C.
'use strict';

const { spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } = require('node:fs');
const path = require('node:path');

const root = realpathSync(path.join(__dirname, '..'));

class Missing extends Error {}

function run(command, args, options) {
  return spawnSync(command, args, { encoding: 'utf8', ...options });
}

function has(command, ...args) {
  return run(command, args).status === 0;
}

// Runs a command that must not fail; its output is shown if it does.
function must(command, args, options) {
  const { status, signal, error, stdout, stderr } = run(command, args, options);
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  throw new Missing(
    `${path.basename(command)} ${args[0]} failed: ${error?.message ?? signal ?? `exit status ${status}`}`,
  );
}

function findNodeHeaders() {
  const prefix = process.env.npm_config_nodedir ?? path.join(path.dirname(process.execPath), '..');
  const directories = ['include/node', 'src'].map((directory) => path.join(prefix, directory));
  const found = directories.find((directory) => existsSync(path.join(directory, 'node_api.h')));
  if (found !== undefined) return found;
  throw new Missing(
    `node_api.h is missing: looked in ${directories.join(' and ')}. Install the headers of your Node ` +
      '(Debian: libnode-dev), or set npm_config_nodedir to the directory of a Node installation that has include/node',
  );
}

// The library of an installation: headers in one directory, libllhttp.a in one of several.
function installedLibrary(include, directories) {
  for (const header of ['llhttp.h', 'llhttp_ext.h']) {
    if (!existsSync(path.join(include, header))) throw new Missing(`${header} is missing in ${include}`);
  }
  const archive = directories.map((directory) => path.join(directory, 'libllhttp.a')).find(existsSync);
  if (archive === undefined) throw new Missing(`libllhttp.a is missing in ${directories.join(' and ')}`);
  return { include, archive };
}

function libraryBelow(prefix) {
  const multiarch = run(process.env.CC ?? 'cc', ['-dumpmachine']).stdout?.trim() ?? '';
  return installedLibrary(
    path.join(prefix, 'include'),
    ['lib', 'lib64', `lib/${multiarch}`].map((name) => path.join(prefix, name)),
  );
}

// Returns undefined if pkg-config knows none, or is missing.
function libraryOfPkgConfig(why) {
  const [include, directory] = ['includedir', 'libdir'].map((name) =>
    run('pkg-config', [`--variable=${name}`, 'libllhttp']).stdout?.trim(),
  );
  if (!include || !directory) return undefined;
  try {
    return installedLibrary(include, [directory]);
  } catch (error) {
    throw new Missing(`${why}, and the libllhttp that pkg-config knows will not do: ${error.message}`);
  }
}

// The library built from sources, which has a place of its own in the repository.
function libraryFrom(sources) {
  const build = process.env.LLHTTP_BUILD_DIR ?? path.join(sources, 'build');
  const env = { GOTOOLCHAIN: 'local', GOFLAGS: '-buildvcs=false', ...process.env, LLHTTP_BUILD_DIR: build };
  must(path.join(sources, 'build.sh'), ['lib'], { env });
  return { include: path.join(build, 'include'), archive: path.join(build, 'lib', 'libllhttp.a') };
}

function findLibrary() {
  if (process.env.LLHTTP_PREFIX) return libraryBelow(process.env.LLHTTP_PREFIX);
  const places = [path.join(root, '../..'), path.join(root, '_llhttp')];
  const sources = places.find((directory) => existsSync(path.join(directory, 'capi/driver.c')));
  if (sources !== undefined && has('go', 'version')) return libraryFrom(sources);
  const why =
    sources === undefined ? 'there are no sources of the library here' : 'go is missing, which compiles the library';
  const installed = libraryOfPkgConfig(why);
  if (installed !== undefined) return installed;
  throw new Missing(
    `${why}, LLHTTP_PREFIX is not set, and pkg-config knows no libllhttp. ` +
      'Install Go 1.26 or newer, or set LLHTTP_PREFIX to where the library is installed',
  );
}

// In a folder of its own, since others may be at it as well, and renamed when it works.
function buildAddon(headers, include, archive) {
  const target = path.join(root, 'build');
  mkdirSync(target, { recursive: true });
  const build = mkdtempSync(path.join(target, 'cmake-'));
  try {
    must('cmake', [
      '-S',
      root,
      '-B',
      build,
      `-DNODE_INCLUDE_DIR=${headers}`,
      `-DLLHTTP_INCLUDE_DIR=${include}`,
      `-DLLHTTP_LIBRARY=${archive}`,
    ]);
    must('cmake', ['--build', build]);
    must(process.execPath, ['-e', 'require(process.argv[1])', path.join(build, 'llhttp.node')]);
    for (const name of ['llhttp.node', 'CMakeCache.txt']) renameSync(path.join(build, name), path.join(target, name));
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
}

try {
  const headers = findNodeHeaders();
  if (!has('cmake', '--version')) throw new Missing('cmake is missing: it builds the addon');
  const { include, archive } = findLibrary();
  buildAddon(headers, include, archive);
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  process.stderr.write(`llhttpgo: ${error.message}\n`);
  process.exitCode = 1;
}
