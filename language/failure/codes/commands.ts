import { failure } from '../define.ts';
import { sentenceOf, type Fault } from '../faults.ts';

/** R01xx. Commands and their arguments. */
export const commands = {
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
      'A command id makes one command idempotent. The same id with other argument values is refused (1 and 1.00 are the same value), and so is an id whose first outcome belongs to another caller. Use a new id.',
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
  R0116: failure<{ command: string; message?: string | undefined }>({
    kind: 'forbidden',
    title: 'not allowed',
    message: (p) => `${p.command}: ${p.message ?? 'not allowed to this caller'}`,
    explanation:
      'The ALLOW of the command is not TRUE for this caller and these arguments, or cannot be evaluated. Nothing was read or decided.',
  }),
  R0117: failure<{ claim: string; type: string }>({
    kind: 'credentials',
    title: 'claim of another type',
    message: (p) => `the claim '${p.claim}' of this token is no ${p.type}`,
    explanation:
      'A CLAIM block gives a member of the token a type, and a request that reads it came with a token whose member is no value of that type. ' +
      'Requests that do not read the claim are answered.',
  }),
} as const;
