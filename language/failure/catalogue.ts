import { failure } from './define.ts';
import { sentenceOf, type Fault } from './faults.ts';

/** R-codes: failures at run time; `language/diagnostics/codes/` lists failures of compilation. `docs/codes.md` explains both. */
export const failures = {
  // R01xx. Commands and their arguments.
  R0101: failure<{ command: string; field: string; takes: string }>(
    'input',
    'missing argument',
    (p) => `${p.command}: argument '${p.field}' is missing; it takes ${p.takes}`,
  ),
  R0102: failure<{ command: string; field: string; known: readonly string[] }>(
    'input',
    'unknown argument',
    (p) => `${p.command} has no argument '${p.field}'; it takes ${p.known.length > 0 ? p.known.join(', ') : 'none'}`,
  ),
  R0103: failure<{ command: string; field: string; takes: string; given: string }>(
    'input',
    'ill-typed argument',
    (p) => `${p.command}: argument '${p.field}' takes ${p.takes}, not ${p.given}`,
  ),
  R0104: failure<{ command: string; commandId: string }>(
    'reused-id',
    'command id reused',
    (p) =>
      `command id '${p.commandId}' was already used on this stream with another command or with arguments other than these of ${p.command}`,
  ),
  R0105: failure<{ stream: string; expected: number; actual: number }>(
    'expected-seq',
    'stream is not at the expected position',
    (p) => `stream '${p.stream}' is at seq ${p.actual}, expected ${p.expected}`,
  ),
  R0106: failure<{ kind: string; name: string; known: readonly string[] }>(
    'missing',
    'unknown name',
    (p) =>
      `there is no ${p.kind} '${p.name}'${p.known.length > 0 ? `; did you mean ${p.known.map((n) => `'${n}'`).join(' or ')}?` : ''}`,
  ),
  R0107: failure<{ command: string }>(
    'missing',
    'command without a decision',
    (p) => `command '${p.command}' has no decision`,
  ),
  R0108: failure<{ command: string; aggregate: string; owner: string }>(
    'forbidden',
    "another aggregate's command",
    (p) => `command '${p.command}' is decided for aggregate '${p.owner}', not '${p.aggregate}'`,
  ),
  R0109: failure<{ what: string }>(
    'forbidden',
    'read-only',
    (p) => `${p.what} is refused: the server is in read-only mode`,
  ),
  R0110: failure<{ command: string }>(
    'input',
    'command id required',
    (p) => `${p.command}: a command id is required (id.command_id.required)`,
  ),
  R0111: failure<{ option: string; takes: string }>(
    'input',
    'invalid execution option',
    (p) => `${p.option} takes ${p.takes}`,
  ),
  R0112: failure<{ stream: string; actual: number }>(
    'expected-seq',
    'position of another store',
    (p) => `stream '${p.stream}' is at seq ${p.actual} in this store; the expected position is from another store`,
  ),
  R0113: failure<{ command: string; faults: readonly Fault[]; count: number }>(
    'input',
    'several faulty arguments',
    (p) => sentenceOf(p.faults, (count) => `${p.command}: ${count} arguments are wrong`, p.count),
  ),
  R0114: failure<{ name: string; kinds: readonly string[] }>(
    'input',
    'name of several blocks',
    (p) =>
      `several blocks are called '${p.name}': write ${p.kinds.map((kind) => `DESCRIBE ${kind.toUpperCase()} ${p.name}`).join(' or ')}`,
  ),
  R0115: failure<{ command: string; faults: readonly Fault[]; count: number; field?: string }>(
    'input',
    'refused by a CHECK',
    (p) => sentenceOf(p.faults, (count) => `${p.command}: ${count} CHECKs are not satisfied`, p.count),
  ),
  R0116: failure<{ command: string; message?: string | undefined }>(
    'forbidden',
    'not allowed',
    (p) => `${p.command}: ${p.message ?? 'not allowed to this caller'}`,
  ),
  R0117: failure<{ claim: string; type: string }>(
    'credentials',
    'claim of another type',
    (p) => `the claim '${p.claim}' of this token is no ${p.type}`,
  ),
  // R02xx. Expressions and decisions, on the data that they meet.
  R0201: failure<{ where: string }>(
    'schema',
    'division by zero',
    (p) => `division by zero${p.where === '' ? '' : ` in ${p.where}`}`,
  ),
  R0202: failure<{ type: string; where: string }>(
    'schema',
    'value out of range',
    (p) => `a value does not fit ${p.type}${p.where === '' ? '' : ` in ${p.where}`}`,
  ),
  R0203: failure<{ decision: string; rows: number }>(
    'schema',
    'state query with several rows',
    (p) => `the STATE of decision '${p.decision}' has ${p.rows} rows; it may have at most one, and nothing was written`,
  ),
  R0204: failure<{ what: string; type: string }>(
    'schema',
    'invalid conversion',
    (p) => `${p.what} is not a valid ${p.type}`,
  ),
  R0205: failure<{ function: string; problem: string }>(
    'schema',
    'invalid function argument',
    (p) => `${p.function}: ${p.problem}`,
  ),
  R0206: failure<{ decision: string; problem: string }>(
    'schema',
    'emission over a limit',
    (p) => `decision '${p.decision}': ${p.problem}; nothing was written`,
  ),
  R0207: failure<{ decision: string; milliseconds: number }>(
    'schema',
    'state query over its time limit',
    (p) => `the STATE of decision '${p.decision}' took longer than ${p.milliseconds} ms; nothing was written`,
  ),
  R0208: failure<object>('schema', 'subquery with several rows', () => 'a subquery used as a value has several rows'),
  R0209: failure<{ rows: number }>(
    'schema',
    'recursion without an end',
    (p) => `WITH RECURSIVE made more than ${p.rows} rows; its step needs a WHERE that ends the recursion`,
  ),
  R0210: failure<{ most: number }>(
    'schema',
    'too much text in one decision',
    (p) =>
      `the functions of one decision read and make at most ${p.most.toLocaleString('en')} characters of text together`,
  ),
  // R03xx. Queries and their limits.
  R0301: failure<{ what: 'time' | 'rows' | 'bytes' | 'memory' | 'columns'; limit: string; onDisk?: boolean }>(
    'budget',
    'query over its budget',
    (p) =>
      `the query exceeded its ${p.what} budget of ${p.limit}${p.onDisk === true ? ', with the read model on disk' : ''}`,
  ),
  R0302: failure<{ problem: string }>('budget', 'query too complex', (p) => `the query is too complex: ${p.problem}`),
  R0303: failure('budget', 'statement stopped', () => 'the statement was stopped'),
  // R04xx. Logs, read models and data directories.
  R0401: failure<{ waiting: number }>(
    'busy',
    'too many commands waiting',
    (p) => `too many commands are waiting (${p.waiting}); try again in a moment`,
  ),
  R0402: failure<{ reason: string }>('store', 'store is read-only', (p) => `the store is read-only: ${p.reason}`),
  R0403: failure<{ reason: string }>(
    'store',
    'outcome unknown',
    (p) => `outcome unknown: the store failed while writing (${p.reason})`,
  ),
  R0404: failure<{ directory: string; owner: string }>(
    'store',
    'data directory in use',
    (p) => `the data directory ${p.directory} is in use by ${p.owner}`,
  ),
  R0405: failure<{ file: string; offset: number; problem: string }>(
    'store',
    'damaged log',
    (p) => `the log is damaged at ${p.file}, byte ${p.offset}: ${p.problem}`,
  ),
  R0406: failure<{ file: string; found: string; known: string }>(
    'store',
    'unknown log format',
    (p) => `${p.file} has ${p.found}, which a newer schemac wrote; this version reads ${p.known}`,
  ),
  R0407: failure<{ line: number; problem: string }>(
    'input',
    'unreadable export',
    (p) => `line ${p.line} of the export: ${p.problem}`,
  ),
  R0408: failure<{ directory: string; problem: string }>(
    'store',
    'data directory cannot be written',
    (p) => `the data directory ${p.directory} cannot be used: ${p.problem}`,
  ),
  R0409: failure<{ directory: string }>(
    'store',
    'server ended during a session',
    (p) =>
      `the server on ${p.directory} has ended; it is not known whether the running statement was executed; all statements before it were`,
  ),
  R0410: failure<{ file: string; problem: string }>(
    'store',
    'posted schema cannot be saved',
    (p) => `nothing was changed: the posted schema cannot be saved in ${p.file}: ${p.problem}`,
  ),
  R0411: failure<{ part: string; problem: string }>(
    'busy',
    'part of the server cannot be loaded',
    (p) => `${p.part} cannot be loaded now: ${p.problem}`,
  ),
  R0412: failure<{ directory: string; problem: string; lost: string; first: number }>(
    'store',
    'end of the log missing',
    (p) =>
      `the log in ${p.directory} has lost its end: ${p.problem}; ${p.lost}. Restore the log, or start with --accept-loss ${p.first} to go on without them`,
  ),
  R0413: failure<{ reason: string }>('busy', 'log away', (p) => `${p.reason}; try again in a moment`),
  R0414: failure<{ reason: string }>('busy', 'read model not ready', (p) => `${p.reason}; try again in a moment`),
  R0415: failure<{ table: string; reason: string }>(
    'store',
    'table of an inspection not kept',
    (p) => `the table '${p.table}' of the inspection cannot be written (${p.reason}); it is not recorded`,
  ),
  R0416: failure<{ reason: string }>(
    'store',
    'place of a subscription not kept',
    (p) => `the position of the subscription cannot be written (${p.reason}); nothing was changed, try again`,
  ),
  R0417: failure<{ event: string }>(
    'schema',
    'stream with an unreadable value',
    (p) => `the stream takes no command, since a value of it cannot be read: ${p.event}`,
  ),
  R0418: failure<{ file: string; problem: string }>(
    'store',
    'read model not a file',
    (p) =>
      `the read model cannot be kept in ${p.file}: ${p.problem}. Remove it and start again: the read model is built from the log`,
  ),
  R0420: failure<{ place: string; problem: string }>(
    'store',
    'database cannot be used',
    (p) => `the log in ${p.place} cannot be opened: ${p.problem}`,
  ),
  R0421: failure<{ place: string; entry: number; problem: string }>(
    'store',
    'damaged row of the log',
    (p) => `the log in ${p.place} is damaged at entry ${p.entry}: ${p.problem}`,
  ),
  R0422: failure<{ place: string; lost: string; first: number }>(
    'store',
    'shared log has lost entries',
    (p) =>
      `the log in ${p.place} is not the one that this server has read: ${p.lost}. Bring the log back that has them, or start with --accept-loss ${p.first} to go on without them`,
  ),
  // R05xx. The choice of an event store, its registry, and its past.
  R0501: failure<{ store: string; problem: string }>(
    'input',
    'no event store can be chosen',
    (p) => `event store ${p.store}: ${p.problem}`,
  ),
  R0502: failure<{ block: string; files: string; log: string }>(
    'input',
    'files and log differ',
    (p) =>
      `${p.block} was posted to the server and differs from the files; the files say: ${p.files} -- the log says: ${p.log} -- start with --accept files or --accept log`,
  ),
  R0503: failure<{ problem: string }>(
    'schema',
    'registry does not compile',
    (p) => `the registry does not compile: ${p.problem}`,
  ),
  R0504: failure<{ problem: string }>(
    'budget',
    'change too large for a running server',
    (p) => `the change is refused: ${p.problem}; nothing was changed`,
  ),
  R0505: failure<{ moment: string; end: string }>(
    'input',
    'moment beyond the end',
    (p) => `AS OF ${p.moment}: the end is ${p.end}`,
  ),
  R0506: failure<{ what: string; problem: string }>('input', 'no past to show', (p) => `AS OF: ${p.what} ${p.problem}`),
  R0507: failure<{ entry: number }>(
    'input',
    'files of an earlier registry',
    (p) =>
      `--accept files is refused: the registry of the log was exactly that of these files after entry ${p.entry}, and it was changed since; 'schemac deploy' goes back to it`,
  ),
  R0508: failure(
    'busy',
    'the schema changed meanwhile',
    () =>
      'another server has changed the schema, or stored the first events of a definition, meanwhile; nothing was changed, try again',
  ),
  R0510: failure<{ event: string; stored: string; failures: readonly string[]; more: boolean }>(
    'schema',
    'stored events that a clause cannot read',
    (p) =>
      `stored events cannot be read as '${p.event}' by its clause UPCAST FROM ${p.stored}: ${p.failures.join('; ')}${p.more ? '; and more' : ''}; nothing was changed`,
  ),
  R0511: failure<{ path: string; problem: string }>(
    'input',
    'schema file that cannot be read',
    (p) => `WITH SCHEMA FILE '${p.path}': ${p.problem}`,
  ),
  // R06xx. Reactions, and the clock that they follow.
  R0601: failure<{ reaction: string; most: number }>(
    'schema',
    'too many reactions in a row',
    (p) => `reaction '${p.reaction}': ${p.most} reactions led to this event, one after the other; it is not answered`,
  ),
  R0602: failure<{ given: string }>(
    'input',
    'reserved command id',
    (p) => `the command id '${p.given}' begins with $, which is reserved for reactions`,
  ),
  R0603: failure(
    'input',
    'a clock that cannot be moved',
    () => 'ADVANCE CLOCK moves the clock of a session in memory; other stores follow the clock of the system',
  ),
  R0604: failure<{ problem: string }>('input', 'invalid move of the clock', (p) => `ADVANCE CLOCK: ${p.problem}`),
  R0605: failure<{ reaction: string; most: number; root: number }>(
    'schema',
    'too many commands follow from one event',
    (p) =>
      `reaction '${p.reaction}': more than ${p.most} commands follow from the event at position ${p.root}; nothing further that follows from it is answered`,
  ),
} as const;

export type FailureCode = keyof typeof failures;
