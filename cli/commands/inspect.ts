import { resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Session } from '../../server/session/session.ts';
import { clockFlag } from '../clock-flag.ts';
import type { Run } from '../declaration.ts';
import { environmentFault, type ExitStatus, inputFault, usageFault } from '../exit-fault.ts';
import { loadSchema } from '../load-schema.ts';
import { withSession } from '../open-session.ts';
import { showOutcome } from '../output/show-outcome.ts';
import { runStatements } from '../run-statements.ts';
import { resolveSettings } from '../settings/settings.ts';
import { asOfFlag, schemaFlag } from './statement.ts';
import { ExactNumber, type JsonValue } from '../../language/values/json.ts';
import { writeJsonValue } from '../../language/values/json-write.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import { isList, isObject } from '../../language/values/json.ts';

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

/** The CREATE TABLE with the rows of a JSON file: a list of objects, whose keys become columns. Numbers stay exact. */
function readTable(cwd: string, name: string, file: string): string {
  const rows = readRows(resolve(cwd, file), file);
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  if (columns.length === 0) throw inputFault(`'${file}' has no row with a column`);
  const values = rows.map((row) => `(${columns.map((column) => literal(row.get(column) ?? null)).join(', ')})`);
  return `CREATE TABLE ${quoted(name)} (${columns.map(quoted).join(', ')}) AS VALUES ${values.join(', ')}`;
}

function readRows(path: string, file: string): readonly ReadonlyMap<string, JsonValue>[] {
  try {
    const value = readExactJson(readFileSync(path, 'utf8'));
    if (isList(value) && value.every(isObject)) return value;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const fault = code === undefined || code === 'ENOENT' || code === 'EISDIR' ? inputFault : environmentFault;
    throw fault(`the table file '${file}' cannot be read: ${message}`);
  }
  throw inputFault(`the table file '${file}' must contain a list of objects`);
}

function literal(value: JsonValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof ExactNumber) return value.text;
  return `'${(typeof value === 'string' ? value : writeJsonValue(value)).replaceAll("'", "''")}'`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
