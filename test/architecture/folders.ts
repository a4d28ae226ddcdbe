/** A folder holds at most this many files, so that a reader takes in its list at once. */
export const mostFiles = 20;

/** Folders with more, each because its names are a list of equal things, which folders between would only separate. */
export const largeFolders: Readonly<Record<string, string>> = {
  'bench/figures': 'one file for each group of figures, by the name that `npm run bench -- --only` takes',
  cli: 'the parts of the tool that several commands share; commands, declarations and output have folders',
  'cli/commands': 'one file for each command',
  'compiler/analyse/block': 'one check for each kind of block and each rule of it',
  'compiler/analyse/expression': 'one file for each form of expression, and the rules of types they share',
  'compiler/analyse/query': 'one file for each clause of a query, and for each rewriting of one',
  'compiler/emit/sqlite': 'one printer for each form of expression and clause, and what they ask of a query',
  docs: 'one page for each subject, which docs/README.md lists',
  'docs/decisions': 'one page for each decision, by number',
  'language/contract': 'one file for each thing that the compiler, the runtime and the server agree on',
  'language/values':
    'one file for each type of value and each family of functions on them, as generated code imports them',
  'runtime/engine': 'one file for each step of a command, and one for each kind of question',
  'runtime/store': 'the store as its users see it; its parts have folders',
  'runtime/store/tables/core': 'one file for each part of the database that holds the tables',
  'server/session': 'one file for each kind of statement that needs more than a query, and what a session keeps',
  templates: 'one file for each kind of generated module, and for each part of TypeScript that it prints',
  'test/cli': 'mirrors the commands of the tool',
  'test/crash': 'one file for each kind of failure, with the simulated disk and the programs that are killed',
  'test/emit': 'one file for each property of generated code, with its samples',
  'test/errors': 'one page for each code',
  'test/http': 'one file for each part of the HTTP contract',
  'test/kit': 'one helper each, by the name of what it does',
  'test/postgres': 'one file for each part of the log in PostgreSQL',
  'test/session/scripts': 'one script for each part of the language',
  'test/store': 'one file for each part of the store',
  'test/syntax': 'one file for each property of the grammar',
};
