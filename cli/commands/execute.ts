import type { Run } from '../declaration.ts';
import { asExitFault } from '../exit-of-error.ts';
import { environmentFault, usageFault, type ExitStatus } from '../exit-fault.ts';
import { keysOf, readableRows } from '../execute/keyed-rows.ts';
import { openSource, readRows, type UnreadableRow } from '../execute/rows.ts';
import type { AnswerRow, Target } from '../execute/target.ts';
import { isInMemory } from '../open-session.ts';
import { withProgress } from '../progress.ts';
import { resolveSettings, type Flags, type Settings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

/** `schemac execute <Command> --from <file>`: many commands, in a server or on a store. */
export const runExecute: Run = async (shell, [command = ''], flags) => {
  const settings = resolveSettings(shell, flags);
  const wanted = wantedOf(flags);
  const keys = await keysOf(shell.cwd, wanted);
  return withTarget(shell, settings, command, wanted.aggregate, async (target) => {
    const source = openSource(shell.cwd, wanted.from, shell.input);
    const lines = createLines();
    const rows = readableRows(readRows(source, wanted.form, target.types), {
      keys,
      begun: lines.begun,
      unreadable: (row) => {
        tally.unreadable(row);
        return wanted.goesOn;
      },
    });
    const { answers, enough } = target.execute(rows);
    const tally = createTally(shell, lines, wanted.goesOn ? () => undefined : enough);
    const begun = performance.now();
    let cut: unknown;
    await withProgress(
      shell,
      () => `${tally.counts.rows.toLocaleString('en')} rows`,
      async () => {
        try {
          for await (const piece of answers) for (const answer of piece) tally.take(answer);
        } catch (error) {
          cut = error;
        }
      },
    );
    source.destroy();
    summarise(shell, tally.counts, { seconds: (performance.now() - begun) / 1000, json: flags['json'] === true });
    if (cut === undefined && tally.counts.errors > 0 && !wanted.goesOn) shell.messages.write(tally.stopped());
    if (cut !== undefined) throw withAdvice(cut, tally.counts.rows, wanted.keyFrom);
    const { errors, rejected } = tally.counts;
    return (errors > 0 || (rejected > 0 && wanted.failsOnReject) ? 1 : 0) satisfies ExitStatus;
  });
};

interface Wanted {
  readonly from: string;
  readonly form: 'ndjson' | 'csv';
  /** `line`, or the name of a field. */
  readonly keyFrom: string | undefined;
  readonly aggregate: string | undefined;
  readonly goesOn: boolean;
  readonly failsOnReject: boolean;
}

function wantedOf(flags: Flags): Wanted {
  const text = (name: string): string | undefined => (typeof flags[name] === 'string' ? flags[name] : undefined);
  const from = text('from');
  if (from === undefined) throw usageFault('name the rows with --from <file>; - is stdin');
  const keyFrom = text('keyFrom');
  if (keyFrom === 'line' && from === '-')
    throw usageFault('--key-from line takes a file, whose content is part of the keys');
  return {
    from,
    form: /\.csv$/i.test(from) || flags['csv'] === true ? 'csv' : 'ndjson',
    keyFrom,
    aggregate: text('aggregate'),
    goesOn: flags['continue'] === true,
    failsOnReject: flags['failOnReject'] === true,
  };
}

async function withTarget(
  shell: Shell,
  settings: Settings,
  command: string,
  aggregate: string | undefined,
  work: (target: Target) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  const { url, token } = settings;
  if ((url === undefined) === isInMemory(settings))
    throw usageFault('name a server with --url, or a store that no server owns with --data or --eventstore');
  if (url !== undefined) {
    const { httpTarget } = await import('../remote/upload.ts');
    return work(await httpTarget({ url, token, command, aggregate }));
  }
  const [{ withOwnEngine }, { storeTarget }] = await Promise.all([
    import('../open-session.ts'),
    import('../execute/on-store.ts'),
  ]);
  return withOwnEngine(shell, settings, (engine) => work(storeTarget(engine, command)));
}

/** Which line of the file a row is of, while it is under way. */
interface Lines {
  readonly begun: (line: number) => void;
  readonly of: (row: number) => number;
}

function createLines(): Lines {
  const lines = new Map<number, number>();
  let rows = 0;
  return {
    begun: (line) => {
      rows += 1;
      lines.set(rows, line);
    },
    of: (row) => {
      const line = lines.get(row) ?? row;
      // Answers come in order.
      lines.delete(row - 1);
      return line;
    },
  };
}

interface Counts {
  rows: number;
  emitted: number;
  events: number;
  rejected: number;
  replayed: number;
  errors: number;
}

/** Errors that are shown, of thousands. */
const mostShown = 20;

interface Tally {
  readonly counts: Counts;
  readonly take: (answer: AnswerRow) => void;
  /** Counts a row that is not sent. */
  readonly unreadable: (row: UnreadableRow) => void;
  /** Which rows were sent when the first error was known. */
  readonly stopped: () => string;
}

function createTally(shell: Shell, lines: Lines, onError: () => void): Tally {
  const counts: Counts = { rows: 0, emitted: 0, events: 0, rejected: 0, replayed: 0, errors: 0 };
  let last = 0;
  let lastLine = 0;
  let firstError: number | undefined;
  const failed = (line: number, message: string): void => {
    firstError ??= line;
    counts.errors += 1;
    if (counts.errors <= mostShown) shell.messages.write(`line ${line}: ${message}\n`);
    else if (counts.errors === mostShown + 1) shell.messages.write('… and more errors, which are counted\n');
  };
  return {
    counts,
    take: ({ row, status, replayed, message = '' }) => {
      const isNew = row !== last;
      last = row;
      if (isNew) counts.rows += 1;
      if (isNew && replayed) counts.replayed += 1;
      if (status === 'success') counts.events += 1;
      if (isNew && status === 'success') counts.emitted += 1;
      if (status === 'rejected') counts.rejected += 1;
      const line = lines.of(row);
      lastLine = line;
      if (status !== 'error') return;
      failed(line, message);
      onError();
    },
    unreadable: ({ line, problem }) => {
      counts.rows += 1;
      failed(line, problem);
    },
    stopped: () => {
      const [error, sent] = [firstError ?? 0, Math.max(lastLine, firstError ?? 0)];
      if (sent === error) return `stopped: no line after ${error} was sent\n`;
      return `stopped: lines up to ${sent} had been sent when the error in line ${error} was known; no line after ${sent} was\n`;
    },
  };
}

function summarise(
  shell: Shell,
  counts: Counts,
  { seconds, json }: { readonly seconds: number; readonly json: boolean },
): void {
  const { rows, emitted, events, rejected, replayed, errors } = counts;
  if (json) {
    shell.output.write(`${JSON.stringify({ ...counts, seconds: Math.round(seconds * 1000) / 1000 })}\n`);
    return;
  }
  const many = (count: number, what: string): string =>
    `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
  shell.output.write(
    `${many(rows, 'row')}: ${emitted} emitted (${many(events, 'event')}), ${rejected} rejected, ${many(errors, 'error')}; ${replayed} of them replayed\n`,
  );
}

/** Adds advice to the fault of an import that did not end. */
function withAdvice(error: unknown, rows: number, keyFrom: string | undefined): unknown {
  const fault = asExitFault(error);
  if (fault?.status !== 3) return error;
  const again =
    keyFrom === undefined
      ? 'with --key-from it could be run again, and would go on'
      : 'run it again with the same keys, and it goes on';
  return environmentFault(`${fault.message}; ${rows} rows were answered, and ${again}`);
}
