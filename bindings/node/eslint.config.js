'use strict';

const js = require('@eslint/js');

const globals = [
  'Buffer',
  'SharedArrayBuffer',
  'Atomics',
  'URL',
  '__dirname',
  'console',
  'exports',
  'gc',
  'module',
  'process',
  'require',
  'setImmediate',
  'setTimeout',
  'structuredClone',
];

module.exports = [
  { ignores: ['build/', '_llhttp/'] },
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: 'commonjs',
      globals: Object.fromEntries(globals.map((name) => [name, 'readonly'])),
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  { files: ['**/*.mjs'], languageOptions: { sourceType: 'module' } },
];
