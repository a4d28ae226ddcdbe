/**
 * The directions of imports, as data. The rooms at the top are a pipeline: a room imports itself and the rooms before it. Inside a room
 * a place is a folder (`runtime/store`), or the loose files of the room (`runtime/*`); it may import itself and what its row names.
 */
export const rooms = ['language', 'templates', 'compiler', 'runtime', 'server', 'cli'] as const;

const values = ['language/values', 'language/failure', 'language/contract'];
const shapes = [...values, 'language/source', 'language/diagnostics', 'language/catalog', 'language/plan'];

export const mayImport: Readonly<Record<string, readonly string[]>> = {
  'language/failure': ['language/values'],
  'language/values': ['language/failure'],
  // How SQLite keeps values and queries. The compiler prints it and a store over SQLite runs it; the server and the tool do not see it.
  'language/sqlite': ['language/values', 'language/failure'],
  'language/contract': ['language/values', 'language/failure', 'language/sqlite'],
  'language/source': [],
  'language/diagnostics': ['language/source', ...values],
  'language/catalog': ['language/source', 'language/diagnostics', ...values],
  'language/plan': ['language/catalog', ...values],

  // Templates print what SQLite is given as data.
  templates: [...shapes, 'language/sqlite'],
  // Text of generated clients: it may lean on nothing that a user's project does not have.
  'templates/client': [],

  'compiler/syntax': shapes,
  'compiler/functions': [...shapes, 'language/sqlite', 'compiler/syntax'],
  'compiler/analyse': [...shapes, 'compiler/syntax', 'compiler/functions'],
  'compiler/plan': [...shapes, 'compiler/syntax', 'compiler/functions', 'compiler/analyse'],
  'compiler/emit': [
    ...shapes,
    'language/sqlite',
    'compiler/syntax',
    'compiler/functions',
    'compiler/analyse',
    'compiler/plan',
    'templates',
  ],
  'compiler/describe': [...shapes, 'compiler/syntax', 'compiler/functions', 'compiler/analyse', 'compiler/plan'],
  // Answers for an editor are above the whole compiler; its public surface does not give them to others.
  'compiler/editor': [...shapes, 'compiler'],
  'compiler/*': [...shapes, 'compiler'],

  'runtime/generated': values,
  'runtime/store': [...values, 'language/sqlite'],
  'runtime/engine': [...values, 'runtime/store'],
  'runtime/arrow': [...values, 'runtime/engine', 'runtime/store'],

  'server/http': [...values, 'runtime/engine', 'runtime/store'],
  // The registry and the console answer the questions that HTTP asks through its options; HTTP does not know who answers.
  'server/console': [
    ...values,
    'runtime/generated',
    'runtime/engine',
    'runtime/store',
    'server/http',
    'server/registry',
    'compiler/index.ts',
  ],
  'server/registry': [
    ...values,
    'runtime/generated',
    'runtime/engine',
    'runtime/store',
    'server/http',
    'compiler/index.ts',
  ],
  'server/session': [...values, 'runtime/engine', 'runtime/store', 'server/registry', 'compiler/index.ts'],
  'server/start': [...values, 'runtime', 'server', 'compiler/index.ts'],
  'server/*': [...values, 'runtime', 'server'],

  cli: [...shapes, 'compiler', 'runtime', 'server', 'templates'],
};

/** Files that import values from each other in a circle, because what they handle nests in itself. All others must not. */
export interface Recursion {
  /** One of its files: a circle without it is another one. */
  readonly through: string;
  /** The folders that it stays in. */
  readonly within: readonly string[];
  readonly because: string;
}

export const recursions: readonly Recursion[] = [
  {
    through: 'compiler/analyse/expression/bind-expression.ts',
    within: ['compiler/analyse/expression', 'compiler/analyse/query'],
    because: 'expressions hold expressions and queries, and queries hold expressions and queries',
  },
  {
    through: 'compiler/syntax/build/chain.ts',
    within: ['compiler/syntax/build'],
    because: 'the same nesting, as trees are built',
  },
  {
    through: 'compiler/syntax/print/expression.ts',
    within: ['compiler/syntax/print'],
    because: 'the same nesting, as trees are printed',
  },
  {
    through: 'compiler/emit/typescript/print-expression.ts',
    within: ['compiler/emit/typescript'],
    because: 'a condition holds values, and CASE is a value that holds conditions',
  },
];

/** Each library has one home, so that it can be replaced, loaded late, or kept away from a production server. */
export const homes: Readonly<Record<string, readonly string[]>> = {
  '@koa/router': ['server/http'],
  'apache-arrow': ['runtime/arrow', 'templates/client'],
  chevrotain: ['compiler/syntax'],
  chokidar: ['cli'],
  commander: ['cli'],
  jose: ['server/http'],
  koa: ['server/http'],
  picocolors: ['cli', 'language/diagnostics'],
  pino: ['server/http', 'server/start'],
  'sql.js': ['runtime/store'],
  'string-width': ['cli', 'language/diagnostics'],
  'ts-morph': ['compiler/emit', 'templates'],
  'vscode-languageserver-protocol': ['cli'],
  'vscode-languageserver-textdocument': ['cli'],
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
