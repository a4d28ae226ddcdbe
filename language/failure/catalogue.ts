import { sentenceOf, type Fault } from './faults.ts';

/** The kind of a failure. The HTTP layer maps kinds, never single codes, to a status. */
export type FailureKind =
  /** The caller's input is wrong. */
  | 'input'
  /** A named thing does not exist. */
  | 'missing'
  /** Known, but not allowed here (read-only mode, another aggregate's decision). */
  | 'forbidden'
  /** The schema fails on this data: division by zero, overflow, two state rows. */
  | 'schema'
  /** The stream is not at `expected_seq`. */
  | 'expected-seq'
  /** A command id was used again with other arguments. */
  | 'reused-id'
  /** A query went past its time, row, byte or memory budget. */
  | 'budget'
  /** A queue is full. */
  | 'busy'
  /** The store cannot write, or the outcome of a write is unknown. */
  | 'store';

export interface FailureEntry<P> {
  readonly kind: FailureKind;
  readonly title: string;
  readonly message: (parameters: P) => string;
  readonly explanation: string;
}

function failure<P>(entry: FailureEntry<P>): FailureEntry<P> {
  return entry;
}

/** R-codes: what can fail at run time; `language/diagnostics/codes/` lists what can fail during compilation. */
export const failures = {
  R0101: failure<{ command: string; field: string; takes: string }>({
    kind: 'input',
    title: 'missing argument',
    message: (p) => `${p.command}: argument '${p.field}' is missing; it takes ${p.takes}`,
    explanation:
      'A required argument was not given. An argument is optional only if the command declares it NULL or DEFAULT.',
  }),
  R0102: failure<{ command: string; field: string; known: readonly string[] }>({
    kind: 'input',
    title: 'unknown argument',
    message: (p) =>
      `${p.command} has no argument '${p.field}'; it takes ${p.known.length > 0 ? p.known.join(', ') : 'none'}`,
    explanation: 'An argument was given that the command does not declare.',
  }),
  R0103: failure<{ command: string; field: string; takes: string; given: string }>({
    kind: 'input',
    title: 'ill-typed argument',
    message: (p) => `${p.command}: argument '${p.field}' takes ${p.takes}, not ${p.given}`,
    explanation: 'The value does not fit the declared type. Nothing is rounded, cut or converted silently on input.',
  }),
  R0104: failure<{ command: string; commandId: string }>({
    kind: 'reused-id',
    title: 'command id reused',
    message: (p) =>
      `command id '${p.commandId}' was already used on this stream with another command or with arguments other than these of ${p.command}`,
    explanation:
      'A command id makes one command idempotent. The same id with other argument values is refused (1 and 1.00 are the same value). Use a new id.',
  }),
  R0105: failure<{ stream: string; expected: number; actual: number }>({
    kind: 'expected-seq',
    title: 'stream is not at the expected position',
    message: (p) => `stream '${p.stream}' is at seq ${p.actual}, expected ${p.expected}`,
    explanation:
      'The command runs only if its stream is at the expected seq (0: no events yet). Read the stream again.',
  }),
  R0106: failure<{ kind: string; name: string; known: readonly string[] }>({
    kind: 'missing',
    title: 'unknown name',
    message: (p) =>
      `there is no ${p.kind} '${p.name}'${p.known.length > 0 ? `; did you mean ${p.known.map((n) => `'${n}'`).join(' or ')}?` : ''}`,
    explanation: 'The name is not registered.',
  }),
  R0107: failure<{ command: string }>({
    kind: 'missing',
    title: 'command without a decision',
    message: (p) => `command '${p.command}' has no decision`,
    explanation: 'Each command is decided by exactly one decision. Create it: CREATE DECISION … ON COMMAND ….',
  }),
  R0108: failure<{ command: string; aggregate: string; owner: string }>({
    kind: 'forbidden',
    title: "another aggregate's command",
    message: (p) => `command '${p.command}' is decided for aggregate '${p.owner}', not '${p.aggregate}'`,
    explanation: 'A command is executed through the aggregate of its decision.',
  }),
  R0109: failure<{ what: string }>({
    kind: 'forbidden',
    title: 'read-only',
    message: (p) => `${p.what} is refused: the server is in read-only mode`,
    explanation: 'In read-only mode nothing is written.',
  }),
  R0110: failure<{ command: string }>({
    kind: 'input',
    title: 'command id required',
    message: (p) => `${p.command}: a command id is required (id.command_id.required)`,
    explanation: 'The event store requires a command id with every command, so that each can be sent again safely.',
  }),
  R0111: failure<{ option: string; takes: string }>({
    kind: 'input',
    title: 'invalid execution option',
    message: (p) => `${p.option} takes ${p.takes}`,
    explanation:
      'An option of the execution (command_id, expected_seq, correlation_id, causation_id) has an invalid value.',
  }),
  R0112: failure<{ stream: string; actual: number }>({
    kind: 'expected-seq',
    title: 'position of another store',
    message: (p) =>
      `stream '${p.stream}' is at seq ${p.actual} in this store; the expected position is from another store`,
    explanation:
      'The entity tag sent with the command was read from another store, whose positions do not apply here. Read the stream again.',
  }),
  R0113: failure<{ command: string; faults: readonly Fault[]; count: number }>({
    kind: 'input',
    title: 'several faulty arguments',
    message: (p) => sentenceOf(p.faults, (count) => `${p.command}: ${count} arguments are wrong`, p.count),
    explanation:
      'Several arguments are missing, unknown or ill-typed; each of them alone has the code R0101, R0102 or R0103.',
  }),
  R0114: failure<{ name: string; kinds: readonly string[] }>({
    kind: 'input',
    title: 'name of several blocks',
    message: (p) =>
      `several blocks are called '${p.name}': write ${p.kinds.map((kind) => `DESCRIBE ${kind.toUpperCase()} ${p.name}`).join(' or ')}`,
    explanation: 'Blocks of different kinds may have one name. DESCRIBE with the kind says which of them is meant.',
  }),
  R0115: failure<{ command: string; faults: readonly Fault[]; count: number; field?: string }>({
    kind: 'input',
    title: 'refused by a CHECK',
    message: (p) => sentenceOf(p.faults, (count) => `${p.command}: ${count} CHECKs are not satisfied`, p.count),
    explanation:
      'The command declares conditions on its arguments, and at least one of them is FALSE or cannot be evaluated. Nothing was decided.',
  }),
  R0201: failure<{ where: string }>({
    kind: 'schema',
    title: 'division by zero',
    message: (p) => `division by zero${p.where === '' ? '' : ` in ${p.where}`}`,
    explanation:
      'An expression divided by zero, or took the remainder of a division by zero. Guard the divisor with NULLIF or a CASE.',
  }),
  R0202: failure<{ type: string; where: string }>({
    kind: 'schema',
    title: 'value out of range',
    message: (p) => `a value does not fit ${p.type}${p.where === '' ? '' : ` in ${p.where}`}`,
    explanation: 'The exact result of an expression is larger than its type can hold. Nothing is written.',
  }),
  R0203: failure<{ decision: string; rows: number }>({
    kind: 'schema',
    title: 'state query with several rows',
    message: (p) =>
      `the STATE of decision '${p.decision}' has ${p.rows} rows; it may have at most one, and nothing was written`,
    explanation: 'A decision reads one row of state. Add a WHERE that selects one stream, or aggregate.',
  }),
  R0204: failure<{ what: string; type: string }>({
    kind: 'schema',
    title: 'invalid conversion',
    message: (p) => `${p.what} is not a valid ${p.type}`,
    explanation: 'A CAST met a text that does not spell a value of the target type.',
  }),
  R0205: failure<{ function: string; problem: string }>({
    kind: 'schema',
    title: 'invalid function argument',
    message: (p) => `${p.function}: ${p.problem}`,
    explanation: 'A function was called with a value that it is not defined for, such as SQRT of a negative number.',
  }),
  R0206: failure<{ decision: string; problem: string }>({
    kind: 'schema',
    title: 'emission over a limit',
    message: (p) => `decision '${p.decision}': ${p.problem}; nothing was written`,
    explanation:
      'Unless a server is configured otherwise, a command emits at most 100 events of at most 256 KiB each, into streams whose id is a text of 1 to 256 characters. If the KEY field of the aggregate is INT or BIGINT, the id is that number in plain digits: 7, not 07.',
  }),
  R0207: failure<{ decision: string; milliseconds: number }>({
    kind: 'schema',
    title: 'state query over its time limit',
    message: (p) => `the STATE of decision '${p.decision}' took longer than ${p.milliseconds} ms; nothing was written`,
    explanation: 'A STATE query that is not a fold has a time limit. EXPLAIN DECISION shows which part scans, and why.',
  }),
  R0208: failure<object>({
    kind: 'schema',
    title: 'subquery with several rows',
    message: () => 'a subquery used as a value has several rows',
    explanation:
      'A query in parentheses inside an expression gives one value, so it may have at most one row. Aggregate it, or add LIMIT 1.',
  }),
  R0209: failure<{ rows: number }>({
    kind: 'schema',
    title: 'recursion without an end',
    message: (p) => `WITH RECURSIVE made more than ${p.rows} rows; its step needs a WHERE that ends the recursion`,
    explanation:
      'The step of a recursive table is repeated for every row that it gave, until it gives none. An endless recursion is stopped.',
  }),
  R0301: failure<{ what: 'time' | 'rows' | 'bytes' | 'memory' | 'columns'; limit: string }>({
    kind: 'budget',
    title: 'query over its budget',
    message: (p) => `the query exceeded its ${p.what} budget of ${p.limit}`,
    explanation:
      'A query is answered completely or not at all; results are never cut silently. Narrow it with WHERE or LIMIT.',
  }),
  R0302: failure<{ problem: string }>({
    kind: 'budget',
    title: 'query too complex',
    message: (p) => `the query is too complex: ${p.problem}`,
    explanation:
      'The engine of the read model limits the size of one statement. Split it: a projection may read other projections.',
  }),
  R0303: failure<Record<string, never>>({
    kind: 'budget',
    title: 'statement stopped',
    message: () => 'the statement was stopped',
    explanation: 'The caller no longer waited for it. It changed nothing.',
  }),
  R0401: failure<{ waiting: number }>({
    kind: 'busy',
    title: 'too many commands waiting',
    message: (p) => `too many commands are waiting (${p.waiting}); try again in a moment`,
    explanation: 'The queue of commands has a limit. The command was not executed.',
  }),
  R0402: failure<{ reason: string }>({
    kind: 'store',
    title: 'store is read-only',
    message: (p) => `the store is read-only: ${p.reason}`,
    explanation: 'After a failed write the store is read-only until it is restarted. The command was not executed.',
  }),
  R0403: failure<{ reason: string }>({
    kind: 'store',
    title: 'outcome unknown',
    message: (p) => `outcome unknown: the store failed while writing (${p.reason})`,
    explanation:
      'It is not known whether the command was stored. Send it again with the same command id: it takes effect exactly once.',
  }),
  R0404: failure<{ directory: string; owner: string }>({
    kind: 'store',
    title: 'data directory in use',
    message: (p) => `the data directory ${p.directory} is in use by ${p.owner}`,
    explanation: 'One process owns a data directory. Stop the other one, join it, or use another directory.',
  }),
  R0405: failure<{ file: string; offset: number; problem: string }>({
    kind: 'store',
    title: 'damaged log',
    message: (p) => `the log is damaged at ${p.file}, byte ${p.offset}: ${p.problem}`,
    explanation:
      'The log does not hold the bytes that were written. Nothing was changed. Restore the directory from a copy, or examine it with `schemac log verify`.',
  }),
  R0406: failure<{ file: string; found: string; known: string }>({
    kind: 'store',
    title: 'unknown log format',
    message: (p) => `${p.file} has ${p.found}, which a newer schemac wrote; this version reads ${p.known}`,
    explanation:
      'An unknown part may change the meaning of the known ones, so it is never ignored. Nothing was changed. Use the ' +
      'newer version.',
  }),
  R0407: failure<{ line: number; problem: string }>({
    kind: 'input',
    title: 'unreadable export',
    message: (p) => `line ${p.line} of the export: ${p.problem}`,
    explanation:
      'The text was not written by `schemac log export`, or a part of it is missing. No part of a broken batch was written.',
  }),
  R0408: failure<{ directory: string; problem: string }>({
    kind: 'store',
    title: 'data directory cannot be written',
    message: (p) => `the data directory ${p.directory} cannot be used: ${p.problem}`,
    explanation:
      'A server owns its directory and writes there. These commands read a log without writing: `schemac log verify`, `log dump`, `log export`.',
  }),
  R0409: failure<{ directory: string }>({
    kind: 'store',
    title: 'server ended during a session',
    message: (p) =>
      `the server on ${p.directory} has ended; it is not known whether the running statement was executed; all statements before it were`,
    explanation:
      'The session was connected to a running server, and that server stopped or died. Start the session again: it connects to the next server, or opens ' +
      'the directory itself. A command that carries a command id can be sent again safely.',
  }),
  R0410: failure<{ file: string; problem: string }>({
    kind: 'store',
    title: 'posted schema cannot be saved',
    message: (p) => `nothing was changed: the posted schema cannot be saved in ${p.file}: ${p.problem}`,
    explanation:
      '`schemac dev` saves posted blocks in `created.schema`, so that the files hold the complete schema. It applies no change that it ' +
      'cannot save there. Make the file writable, or free space, and post again.',
  }),
  R0411: failure<{ part: string; problem: string }>({
    kind: 'busy',
    title: 'part of the server cannot be loaded',
    message: (p) => `${p.part} cannot be loaded now: ${p.problem}`,
    explanation:
      'A server loads its compiler right after it has begun to listen, and is ready once the compiler is loaded. The ' +
      'request was not executed, and the next one tries again. The log has the system error.',
  }),
  R0412: failure<{ directory: string; problem: string; lost: string; first: number }>({
    kind: 'store',
    title: 'end of the log missing',
    message: (p) =>
      `the log in ${p.directory} has lost its end: ${p.problem}; ${p.lost}. Restore the log, or start with --accept-loss ${p.first} to go on without them`,
    explanation:
      'The manifest or a snapshot names entries that the log does not hold, though both are written only after the log is durable. Nothing was changed. Restore the ' +
      'segments from a copy. To go back to an older state on purpose, copy only segments into an empty directory, or start once with --accept-loss.',
  }),
  R0413: failure<{ reason: string }>({
    kind: 'busy',
    title: 'log away',
    message: (p) => `${p.reason}; try again in a moment`,
    explanation:
      'The log cannot be reached, as when a database restarts. The store asks for it again, and goes on without a restart when it is back. ' +
      'Nothing of this command was done.',
  }),
  R0414: failure<{ reason: string }>({
    kind: 'busy',
    title: 'read model not ready',
    message: (p) => `${p.reason}; try again in a moment`,
    explanation:
      'The read model on disk is being built from the log, or its disk is full or fails. Reads wait for it, and commands that do not ' +
      'read from it go on. It continues by itself when the cause has gone. Nothing of this request was done.',
  }),
  R0416: failure<{ reason: string }>({
    kind: 'store',
    title: 'place of a subscription not kept',
    message: (p) => `the position of the subscription cannot be written (${p.reason}); nothing was changed, try again`,
    explanation:
      'What consumers acknowledge is written beside the log before they are answered, and that write failed. The rows are delivered again unless ' +
      'they are acknowledged later. Writes are tried again with the next request.',
  }),
  R0420: failure<{ place: string; problem: string }>({
    kind: 'store',
    title: 'database cannot be used',
    message: (p) => `the log in ${p.place} cannot be opened: ${p.problem}`,
    explanation:
      'The server keeps its log in this database, and starts only when it can use it. Nothing was changed. Check the URL, the network and the rights of ' +
      'the role; `schemac start --wait 60` asks for so many seconds before it gives up.',
  }),
  R0421: failure<{ place: string; entry: number; problem: string }>({
    kind: 'store',
    title: 'damaged row of the log',
    message: (p) => `the log in ${p.place} is damaged at entry ${p.entry}: ${p.problem}`,
    explanation:
      'The rows of the log are not those that were appended: one was changed, removed or added by hand, or the database is damaged. Nothing is ' +
      'answered from such a log. Restore the database from a backup, or examine it with `schemac log verify`.',
  }),
  R0422: failure<{ place: string; lost: string; first: number }>({
    kind: 'store',
    title: 'shared log has lost entries',
    message: (p) =>
      `the log in ${p.place} is not the one that this server has read: ${p.lost}. Bring the log back that has them, or start with --accept-loss ${p.first} to go on without them`,
    explanation:
      'The data directory remembers how far this server has read the log in the database, and the log ends earlier or has other entries there: it was restored from a backup, or a ' +
      'replica without the last entries has taken over. Nothing was changed. Clients got answers that depend on those entries; `lost-events-….jsonl` in the directory lists their ' +
      'events, if the server was running when they were lost.',
  }),
  R0501: failure<{ store: string; problem: string }>({
    kind: 'input',
    title: 'no event store can be chosen',
    message: (p) => `event store ${p.store}: ${p.problem}`,
    explanation:
      'The server opens one event store, chosen at start from --data, --eventstore and the EVENTSTORE blocks of its files.',
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
    title: 'nothing of the past to show',
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
    message: () => 'another server has changed the schema meanwhile; nothing was changed, try again',
    explanation:
      'A change of the schema was compiled on a registry that another server replaced before the change could be logged, several times in a row.',
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
  R0601: failure<{ reaction: string; most: number }>({
    kind: 'schema',
    title: 'too many reactions in a row',
    message: (p) =>
      `reaction '${p.reaction}': ${p.most} reactions led to this event, one after the other; it is not answered`,
    explanation:
      'Reactions answer the events of each other in a circle. Break it with a guard, or with an AFTER or AT of a second or more, behind which the ' +
      'count begins again.',
  }),
  R0602: failure<{ given: string }>({
    kind: 'input',
    title: 'reserved command id',
    message: (p) => `the command id '${p.given}' begins with $, which is reserved for reactions`,
    explanation:
      'Reactions give their commands ids that begin with $, so that each has its effect once. Use another id.',
  }),
  R0603: failure<Record<string, never>>({
    kind: 'input',
    title: 'a clock that cannot be moved',
    message: () => 'ADVANCE CLOCK moves the clock of a session in memory; other stores follow the clock of the system',
    explanation:
      'Scripts of `schemac run` and `schemac test` and the prompt have a clock of their own while they work in memory.',
  }),
  R0604: failure<{ problem: string }>({
    kind: 'input',
    title: 'clock cannot be moved so',
    message: (p) => `ADVANCE CLOCK: ${p.problem}`,
    explanation:
      'The clock of a session goes forward only, by a whole number of SECONDS to WEEKS or to a TIMESTAMP, up to the year 9999.',
  }),
  R0502: failure<{ block: string; files: string; log: string }>({
    kind: 'input',
    title: 'files and log differ',
    message: (p) =>
      `${p.block} was posted to the server and differs from the files; the files say: ${p.files} -- the log says: ${p.log} -- start with --accept files or --accept log`,
    explanation:
      'A block whose last definition was posted is not silently replaced by the files. Choose which definition to use.',
  }),
} as const;

export type FailureCode = keyof typeof failures;
