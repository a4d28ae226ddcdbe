import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Run } from '../declaration.ts';
import { inputFault } from '../exit-fault.ts';
import { writeJsonLine } from '../shell.ts';
import { stockNames, stockPart, stockSummary } from '../project/stock.ts';
import { unknownTemplate } from '../project/unknown-template.ts';
import { resolveSettings } from '../settings/settings.ts';
import { makeFolder } from '../../runtime/store/disk/make-folder.ts';

/** `schemac add template <name>`: copies a stock template into the schema folder, where it becomes part of the project. */
export const runAddTemplate: Run = (shell, [name], flags) => {
  const known = stockNames();
  const asJson = flags['json'] === true;
  if (name === undefined) {
    if (asJson) {
      writeJsonLine(shell.output, { templates: known.map((each) => ({ name: each, summary: stockSummary(each) })) });
      return Promise.resolve(0);
    }
    const width = Math.max(...known.map((each) => each.length));
    for (const each of known) shell.output.write(`${each.padEnd(width)}  ${stockSummary(each)}\n`);
    return Promise.resolve(0);
  }
  if (!known.includes(name)) throw inputFault(unknownTemplate('stock', name, known));
  const settings = resolveSettings(shell, flags);
  const folder = resolve(shell.cwd, (flags['to'] as string | undefined) ?? settings.schema?.[0] ?? 'schema');
  const target = join(folder, 'templates', `${name}.schema`);
  if (existsSync(target)) throw inputFault(`'${relative(shell.cwd, target)}' already exists`);
  makeFolder(dirname(target));
  writeFileSync(target, stockPart(name, 'template.schema'));
  const written = relative(shell.cwd, target);
  const apply = stockPart(name, 'apply.schema');
  if (asJson) writeJsonLine(shell.output, { written, apply });
  else {
    shell.output.write(`${written}\n`);
    shell.messages.write(`\nApply it in a file of the schema, for example:\n${apply}`);
  }
  return Promise.resolve(0);
};
