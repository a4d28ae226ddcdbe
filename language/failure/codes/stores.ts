import { failure } from '../define.ts';

/** R04xx. Logs, read models and data directories. */
export const stores = {
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
      'The log cannot be reached, for example because a database restarts. The store keeps asking, and works again as soon as the log is back; no restart is needed. ' +
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
  R0415: failure<{ table: string; reason: string }>({
    kind: 'store',
    title: 'table of an inspection not kept',
    message: (p) => `the table '${p.table}' of the inspection cannot be written (${p.reason}); it is not recorded`,
    explanation:
      'The tables of a recorded inspection are files next to the log, and the disk is full or fails. The inspection is not in the log. Free space, and ask again.',
  }),
  R0416: failure<{ reason: string }>({
    kind: 'store',
    title: 'place of a subscription not kept',
    message: (p) => `the position of the subscription cannot be written (${p.reason}); nothing was changed, try again`,
    explanation:
      'An acknowledgement is written next to the log before it is answered, and that write failed. The rows are delivered again unless ' +
      'they are acknowledged later. Writes are tried again with the next request.',
  }),
  R0417: failure<{ event: string }>({
    kind: 'schema',
    title: 'stream with an unreadable value',
    message: (p) => `the stream takes no command, since a value of it cannot be read: ${p.event}`,
    explanation:
      'The stream has an event with a stored value that is none of its field, as an earlier version or another program may have written it. Reads show it as NULL. A decision on that NULL could be wrong, ' +
      'so commands on this stream are refused, and a reaction to the event is parked. Other streams take commands. Once the field is no longer part of its event, the stream takes commands again.',
  }),
  R0418: failure<{ file: string; problem: string }>({
    kind: 'store',
    title: 'read model not a file',
    message: (p) =>
      `the read model cannot be kept in ${p.file}: ${p.problem}. Remove it and start again: the read model is built from the log`,
    explanation:
      'The file of a read model on disk holds nothing that the log does not have, so that it can be removed while no server runs. ' +
      'A folder or another thing with its name is never removed by itself, since it may be of use elsewhere.',
  }),
  R0420: failure<{ place: string; problem: string }>({
    kind: 'store',
    title: 'database cannot be used',
    message: (p) => `the log in ${p.place} cannot be opened: ${p.problem}`,
    explanation:
      'The server keeps its log in this database, and starts only when it can use it. Nothing was changed. Check the URL, the network and the rights of ' +
      'the role; `schemac start --wait 60` tries for 60 seconds before it gives up.',
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
} as const;
