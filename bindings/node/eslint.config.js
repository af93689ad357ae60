// The lint rules: ESLint's recommended ones.
'use strict';

const js = require('@eslint/js');

const globals = [
  'Buffer',
  'SharedArrayBuffer',
  '__dirname',
  'console',
  'exports',
  'gc',
  'module',
  'process',
  'require',
];
globals.push('setImmediate', 'structuredClone');

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
];
