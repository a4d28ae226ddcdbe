/**
 * The directions of imports, as data. A place is a folder (`runtime/store`), or the loose files of one (`runtime/*`). A place
 * may import itself and what stands behind it here, nothing else.
 */
const runtimeBase = ['runtime/values', 'runtime/failure', 'runtime/contract'];
const compilerBase = ['compiler/source', 'compiler/diagnostics', 'compiler/syntax', 'compiler/catalog'];

export const mayImport: Readonly<Record<string, readonly string[]>> = {
  'compiler/source': [],
  'compiler/diagnostics': ['compiler/source', ...runtimeBase],
  'compiler/syntax': ['compiler/source', 'compiler/diagnostics', ...runtimeBase],
  'compiler/catalog': ['compiler/source', 'compiler/diagnostics', 'compiler/syntax', ...runtimeBase],
  'compiler/functions': [...compilerBase, ...runtimeBase],
  'compiler/analyse': [...compilerBase, 'compiler/functions', ...runtimeBase],
  'compiler/plan': [...compilerBase, 'compiler/functions', 'compiler/analyse', ...runtimeBase],
  'compiler/emit': [
    ...compilerBase,
    'compiler/functions',
    'compiler/analyse',
    'compiler/plan',
    'templates',
    ...runtimeBase,
  ],
  'compiler/describe': [...compilerBase, 'compiler/functions', 'compiler/analyse', 'compiler/plan', ...runtimeBase],
  templates: [...compilerBase, 'compiler/functions', 'compiler/analyse', 'compiler/plan', ...runtimeBase],
  // Text of generated clients: it may lean on nothing that a user's project does not have.
  'templates/client': [],
  'compiler/*': ['compiler', ...runtimeBase],

  'runtime/failure': ['runtime/values'],
  'runtime/values': ['runtime/failure'],
  'runtime/contract': ['runtime/values', 'runtime/failure'],
  'runtime/generated': runtimeBase,
  'runtime/store': runtimeBase,
  'runtime/engine': [...runtimeBase, 'runtime/store'],
  'runtime/arrow': [...runtimeBase, 'runtime/engine', 'runtime/store'],
  'runtime/http': [...runtimeBase, 'runtime/engine', 'runtime/store'],
  // The registry answers the questions that HTTP asks through its options; HTTP does not know who answers.
  'runtime/registry': [
    ...runtimeBase,
    'runtime/generated',
    'runtime/engine',
    'runtime/store',
    'runtime/http',
    'compiler/index.ts',
  ],
  'runtime/server': ['runtime'],
  'runtime/session': [...runtimeBase, 'runtime/engine', 'runtime/store', 'runtime/registry', 'compiler/index.ts'],
  'runtime/*': ['runtime'],

  cli: ['compiler', 'runtime', 'templates'],
};

/** Each library has one home, so that it can be replaced, loaded late, or kept away from a production server. */
export const homes: Readonly<Record<string, readonly string[]>> = {
  '@koa/router': ['runtime/http'],
  'apache-arrow': ['runtime/arrow', 'templates/client'],
  chevrotain: ['compiler/syntax'],
  chokidar: ['cli'],
  commander: ['cli'],
  jose: ['runtime/http'],
  koa: ['runtime/http'],
  picocolors: ['cli', 'compiler/diagnostics'],
  pino: ['runtime/http', 'runtime/*'],
  'sql.js': ['runtime/store'],
  'string-width': ['cli', 'compiler/diagnostics'],
  'ts-morph': ['compiler/emit', 'templates'],
};

/** Last words of names that say drawer instead of concept. */
export const forbiddenNames = [
  'util',
  'utils',
  'utilities',
  'helper',
  'helpers',
  'common',
  'misc',
  'shared',
  'manager',
];
