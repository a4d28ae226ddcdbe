/**
 * The directions of imports, as data. The top folders (rooms) are a pipeline: each imports itself and the ones before
 * it. In a room, a place is a folder (`runtime/store`), or the files directly in the room (`runtime/*`); it may import
 * itself and the places in its row.
 */
export const rooms = ['client', 'language', 'templates', 'compiler', 'runtime', 'server', 'cli', 'editors'] as const;

const values = ['language/values', 'language/failure', 'language/contract'];
const shapes = [...values, 'language/source', 'language/diagnostics', 'language/catalog', 'language/plan'];

export const mayImport: Readonly<Record<string, readonly string[]>> = {
  // The entry `schemac/client`, which runs in browsers: it may only use what every user's project has.
  'client/*': [],
  'language/failure': ['language/values'],
  'language/values': ['language/failure'],
  // Values and queries of SQLite. The compiler prints them and a store on SQLite runs them; the server and the tool do
  // not use them.
  'language/sqlite': ['language/values', 'language/failure'],
  'language/contract': ['language/values', 'language/failure', 'language/sqlite'],
  'language/source': [],
  'language/diagnostics': ['language/source', ...values],
  'language/catalog': ['language/source', 'language/diagnostics', ...values],
  'language/plan': ['language/catalog', ...values],

  // Templates print the input of SQLite as data.
  templates: [...shapes, 'language/sqlite'],

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
  'compiler/compare': [...shapes, 'compiler/analyse'],
  'compiler/describe': [...shapes, 'compiler/syntax', 'compiler/functions', 'compiler/analyse', 'compiler/plan'],
  // Answers for an editor are above the whole compiler; its public surface does not give them to others.
  'compiler/editor': [...shapes, 'compiler'],
  'compiler/*': [...shapes, 'compiler'],

  'runtime/generated': values,
  'runtime/store': [...values, 'language/sqlite'],
  'runtime/engine': [...values, 'runtime/store'],
  // Requests to other systems, of the server and of the tool: bounded in every way here.
  'runtime/outgoing': [],
  // Reactions, rows for consumers and webhooks; the engine declares what answers its events, and does not import it.
  'runtime/delivery': [...values, 'runtime/engine', 'runtime/store', 'runtime/outgoing'],
  'runtime/arrow': [...values, 'runtime/engine', 'runtime/store'],
  // The data and the definitions that a question is about.
  'server/place': [
    ...values,
    'runtime/engine',
    'runtime/store',
    'runtime/delivery',
    'server/registry',
    'compiler/index.ts',
  ],
  // Capabilities that all ways in share.
  'server/operation': [
    ...values,
    'runtime/engine',
    'runtime/store',
    'runtime/delivery',
    'server/place',
    'server/registry',
    'compiler/index.ts',
  ],
  'server/http': [
    ...values,
    'runtime/engine',
    'runtime/store',
    'runtime/delivery',
    'runtime/outgoing',
    'server/place',
    'server/operation',
  ],
  'server/registry': [
    ...values,
    'runtime/generated',
    'runtime/engine',
    'runtime/store',
    'runtime/delivery',
    'compiler/index.ts',
  ],
  // An archive has the forms of HTTP's answers, of events as the registry of the log reads them.
  'server/archive': [
    ...values,
    'runtime/engine',
    'runtime/store',
    'runtime/arrow',
    'server/http',
    'server/registry',
    'server/operation',
  ],
  // Outcomes show places of texts, without the compiler: a tool starts the thread of its store before it loads that.
  'server/session': [
    ...values,
    'language/source',
    'language/diagnostics',
    'runtime/engine',
    'runtime/store',
    'runtime/delivery',
    'server/registry',
    'server/place',
    'compiler/index.ts',
    'server/operation',
  ],
  'server/start': [...values, 'runtime', 'server', 'compiler/index.ts'],
  'server/*': [...values, 'runtime', 'server'],

  cli: [...shapes, 'client', 'compiler', 'runtime', 'server', 'templates'],

  // Extensions of editors: everything that they show comes from the tool, over its protocol.
  'editors/*': ['language/contract', 'language/source', 'compiler/syntax', 'compiler/functions', 'compiler/editor'],
  'editors/vscode': ['cli/expectations/expectation.ts', 'cli/lsp/runs/process-output.ts'],
};

/**
 * The order inside a place, by the names of its folders and files: each imports those behind it, never those before it. `a=b`: the two hold each
 * other, as one of `recursions` says.
 */
export const insideOrder: Readonly<Record<string, readonly string[]>> = {
  'compiler/analyse': inOrder(`check-statement bind-statement statement validate incremental block subscription
    expression=query sensitive typed literal type name environment store`),
  'server/operation':
    inOrder(`access query describe export inspect rehearse kept change hand-out operate follow execute read bind room
    again diagnostic-text text-refused shown allow asker rights caller`),
  'server/http': inOrder(`listening create-app routes many-commands pipeline follow pages openapi answers
    representation route parameters request conditional guard metrics options settings auth log wire`),
  'server/place': inOrder('other-stores candidate open-place registry-at store-location place'),
  'runtime/delivery': inOrder('deliveries webhook hand-out reaction standing order retry refused'),
  'runtime/store': inOrder(`postgres embedded memory-store transfer assemble-store past store
    tables turns ledger-files log journal side query
    sequence-check check-entry event-reader upcast-of-event unreadable-text read-entry line entry cells form-check
    query-failure opening snapshot-name start-thread text-map give-way disk`),
  'runtime/store/tables':
    inOrder(`which-database disk-tables memory-limit file-reader copy verify-model-file write-model-file
    read-model without-folds live thread adoption tables core files`),
  // `remote` implements the other end that the prompt and the execution of rows declare.
  cli: inOrder(`main program declarations commands deploy compare lsp log remote repl execute expectations
    build-project load-schema clock-flag open-session store-choice serve open-api watch-paths compile-paths
    run-statements schema-files read-input project output report progress declaration report-error
    settings exit-of-error exit-fault optimise-late version shell colour common-lines`),
};

function inOrder(names: string): readonly string[] {
  return names.split(/\s+/);
}

/**
 * Files that only these may import. Values reach a caller through `shown.ts` alone, and the others that mask, or read what no mask has passed,
 * are named with a reason.
 */
export const importers: Readonly<Record<string, readonly string[]>> = {
  'runtime/engine/mask.ts': [
    'server/operation/shown.ts',
    // A rejection is masked in the log, where no caller is known.
    'runtime/engine/rejection.ts',
    'runtime/engine/rehearse.ts',
    // The receiver of a message has no rights.
    'runtime/delivery/webhook/cloud-event.ts',
  ],
  'runtime/engine/mask-columns.ts': ['server/operation/shown.ts'],
  'runtime/engine/unmasked.ts': [
    'server/operation/shown.ts',
    // Rows wait there until they are handed out or sent.
    'runtime/delivery/hand-out/delivered-row.ts',
    'runtime/delivery/hand-out/lag.ts',
    // Moments, and records without values.
    'server/operation/query/query.ts',
    'server/operation/kept.ts',
    // Values that decide which rows are shown, and are not shown themselves.
    'server/operation/bind/sets-now.ts',
    'server/operation/follow/seen-rows.ts',
    // Tables that are kept with the marks of their columns, and inputs of commands.
    'server/operation/inspect/keep-inspected.ts',
    'server/session/evaluate.ts',
    'server/session/input-pages.ts',
    'server/session/place-query.ts',
    'server/session/statements/queries.ts',
  ],
};

/** Files that may import values from each other in a cycle, because their data is recursive. No others may. */
export interface Recursion {
  /** A file of the cycle: a cycle without it is another one. */
  readonly through: string;
  /** The folders of the cycle. */
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

/**
 * The files that may import each library, so that it can be replaced, loaded late, or kept out of a production server.
 */
export const homes: Readonly<Record<string, readonly string[]>> = {
  '@koa/router': ['server/http'],
  'apache-arrow': ['runtime/arrow', 'client/*'],
  chevrotain: ['compiler/syntax'],
  chokidar: ['cli'],
  commander: ['cli'],
  'hyparquet-writer': ['server/archive'],
  jose: ['server/http'],
  koa: ['server/http'],
  pg: ['runtime/store'],
  picocolors: ['cli', 'language/diagnostics'],
  'sql.js': ['runtime/store'],
  'string-width': ['cli', 'language/diagnostics'],
  'ts-morph': ['compiler/emit', 'templates'],
  vscode: ['editors/vscode'],
  'vscode-languageclient': ['editors/vscode'],
  'vscode-languageserver-protocol': ['cli'],
  'vscode-languageserver-textdocument': ['cli'],
};

/** Last words of names that do not name a concept. */
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
