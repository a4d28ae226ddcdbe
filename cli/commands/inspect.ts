import type { SourceFile } from '../../language/source/source-file.ts';
import type { Session } from '../../server/session/session.ts';
import { clockFlag } from '../clock-flag.ts';
import type { Run } from '../declaration.ts';
import { type ExitStatus, usageFault } from '../exit-fault.ts';
import { loadSchema } from '../load-schema.ts';
import { withSession } from '../open-session.ts';
import { showOutcome } from '../output/show-outcome.ts';
import { runStatements } from '../run-statements.ts';
import { resolveSettings } from '../settings/settings.ts';
import { readTable } from '../table-file.ts';
import { asOfFlag, schemaFlag } from './statement.ts';

/** `schemac inspect <words…>`: runs the INSPECT and shows its target. */
export const runInspect: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  const asJson = flags['json'] === true;
  const tables = ((flags['table'] as readonly string[] | undefined) ?? []).map((given): SourceFile => {
    const [, name = '', file = ''] = /^([^=]+)=(.+)$/.exec(given) ?? [];
    if (name === '') throw usageFault(`--table takes name=file, not '${given}'`);
    return { name: file, text: readTable(shell.cwd, name, file) };
  });
  const work = async (session: Session): Promise<ExitStatus> => {
    if (!(await loadSchema(shell, session, schemaFlag(flags)))) return 1;
    let status: ExitStatus = 0;
    let target: string | undefined;
    const statement: SourceFile = { name: 'command line', text: `INSPECT ${words.join(' ')}` };
    for (const text of [...tables, statement]) {
      for await (const outcome of runStatements(shell, session.run, text, text === statement ? asOfFlag(flags) : {})) {
        if (outcome.kind === 'error') status = 1;
        if (outcome.kind === 'inspect') target = outcome.into;
        if (text === statement || outcome.kind === 'error') await showOutcome(shell, outcome, asJson);
      }
      if (status !== 0) return status;
    }
    if (target === undefined || !/^[A-Za-z_]\w*$/.test(target)) return status;
    for await (const outcome of session.run({ name: 'target', text: `SELECT * FROM "${target}"` })) {
      await showOutcome(shell, outcome, asJson);
    }
    return status;
  };
  return withSession(shell, settings, work, clockFlag(flags, settings));
};
