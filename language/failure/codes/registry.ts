import { failure } from '../define.ts';

/** R05xx. The choice of an event store, its registry, and its past. */
export const registry = {
  R0501: failure<{ store: string; problem: string }>({
    kind: 'input',
    title: 'no event store can be chosen',
    message: (p) => `event store ${p.store}: ${p.problem}`,
    explanation:
      'The server opens one event store, chosen at start from --data, --eventstore and the EVENTSTORE blocks of its files.',
  }),
  R0502: failure<{ block: string; files: string; log: string }>({
    kind: 'input',
    title: 'files and log differ',
    message: (p) =>
      `${p.block} was posted to the server and differs from the files; the files say: ${p.files} -- the log says: ${p.log} -- start with --accept files or --accept log`,
    explanation:
      'A block whose last definition was posted is not silently replaced by the files. Choose which definition to use.',
  }),
  R0503: failure<{ problem: string }>({
    kind: 'schema',
    title: 'registry does not compile',
    message: (p) => `the registry does not compile: ${p.problem}`,
    explanation:
      'The blocks of the files and of the log do not compile together, or the stored history forbids one of them.',
  }),
  R0504: failure<{ problem: string }>({
    kind: 'budget',
    title: 'change too large for a running server',
    message: (p) => `the change is refused: ${p.problem}; nothing was changed`,
    explanation:
      'A change of the schema must not block other requests to the server. Post it in several parts, or put it into the files and restart.',
  }),
  R0505: failure<{ moment: string; end: string }>({
    kind: 'input',
    title: 'moment beyond the end',
    message: (p) => `AS OF ${p.moment}: the end is ${p.end}`,
    explanation:
      'AS OF asks for the past: a position up to the last event, or a time up to now by the clock of the server. A moment before the first event ' +
      'shows empty relations.',
  }),
  R0506: failure<{ what: string; problem: string }>({
    kind: 'input',
    title: 'no past to show',
    message: (p) => `AS OF: ${p.what} ${p.problem}`,
    explanation:
      'AS OF shows what the log says of a moment. What is not derived from the log has no past, commands are decided now, and another event store has ' +
      'a past of its own.',
  }),
  R0507: failure<{ entry: number }>({
    kind: 'input',
    title: 'files of an earlier registry',
    message: (p) =>
      `--accept files is refused: the registry of the log was exactly that of these files after entry ${p.entry}, and it was changed since; 'schemac deploy' goes back to it`,
    explanation:
      'On a log that several servers share, old and new servers of one deployment would otherwise replace the schema of each other at every start.',
  }),
  R0508: failure<Record<string, never>>({
    kind: 'busy',
    title: 'the schema changed meanwhile',
    message: () =>
      'another server has changed the schema, or stored the first events of a definition, meanwhile; nothing was changed, try again',
    explanation:
      'A change of the schema was compiled on a registry that another server replaced, or without events of a definition of which the first one was stored, before the change could be logged, several times in a row.',
  }),
  R0510: failure<{ event: string; stored: string; failures: readonly string[]; more: boolean }>({
    kind: 'schema',
    title: 'stored events that a clause cannot read',
    message: (p) =>
      `stored events cannot be read as '${p.event}' by its clause UPCAST FROM ${p.stored}: ${p.failures.join('; ')}${p.more ? '; and more' : ''}; nothing was changed`,
    explanation:
      'Before a change is accepted, its UPCAST clauses are tried on all stored events that they read. Write expressions that hold for every stored ' +
      "value, such as CASE WHEN size = 'S' THEN 1 … END in place of a CAST that fails.",
  }),
  R0511: failure<{ path: string; problem: string }>({
    kind: 'input',
    title: 'schema file that cannot be read',
    message: (p) => `WITH SCHEMA FILE '${p.path}': ${p.problem}`,
    explanation:
      'WITH SCHEMA FILE reads a file of the process that runs the session. A session in a running server has no files: WITH SCHEMA takes the text there.',
  }),
} as const;
