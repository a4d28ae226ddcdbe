import type { CommandBlock } from '../../../language/catalog/block.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { SourceFile } from '../../../language/source/source-file.ts';
import type { Type } from '../../../language/values/type.ts';
import { printName, printWord } from '../../syntax/print/words.ts';
import { isSame } from './guessed-type.ts';
import { parsedText } from '../parsed-text.ts';

/** A test of the decision at the place: its command with a value for each field that must be given, and an expectation. */
export function testOf(
  file: SourceFile,
  offset: number,
  catalog: Catalog,
): { readonly decision: string; readonly text: string } | undefined {
  const statement = parsedText(file).statements.find(
    ({ span }) => span.start <= offset && offset <= span.end,
  )?.statement;
  if (statement?.kind !== 'CreateDecision') return undefined;
  const command = catalog.blocks.command.find(({ name }) => isSame(name, statement.command.text));
  if (command === undefined) return undefined;
  const values = command.fields
    .filter(({ nullable, default: given }) => !nullable && given === undefined)
    .map(({ name, type }) => `${printWord(name)} := ${sampleOf(type, name, command)}`);
  const text = `-- ${statement.name.text}\nEXECUTE ${printName({ text: command.name })}(${values.join(', ')});\n--= ok\n`;
  return { decision: statement.name.text, text };
}

/** A row with values of the same kind, as JSON, for an inspection of the decision. */
export function sampleRow(decision: string, catalog: Catalog): Readonly<Record<string, unknown>> {
  const found = catalog.blocks.decision.find(({ name }) => isSame(name, decision));
  const command = catalog.blocks.command.find(({ name }) => found !== undefined && isSame(name, found.command));
  const fields = (command?.fields ?? []).filter(({ nullable, default: given }) => !nullable && given === undefined);
  return Object.fromEntries(
    fields.map(({ name, type }) => {
      const literal = command === undefined ? 'NULL' : sampleOf(type, name, command);
      const text = /'(.*)'$/.exec(literal)?.[1];
      return [name, text ?? (literal === 'TRUE' ? true : literal === '1' ? 1 : null)];
    }),
  );
}

/** A literal of the type; the day and the instant are any. */
function sampleOf(type: Type, name: string, { streamField }: CommandBlock): string {
  switch (type.kind) {
    case 'STRING':
      return name === streamField ? "'1'" : type.length === undefined ? `'${name.slice(0, 20)}'` : "'a'";
    case 'UUID':
      return "'00000000-0000-4000-8000-000000000001'";
    case 'BOOLEAN':
      return 'TRUE';
    case 'DATE':
      return "DATE '2026-01-01'";
    case 'TIMESTAMP':
      return "TIMESTAMP '2026-01-01T00:00:00Z'";
    case 'JSON':
      return "'{}'";
    case 'INT':
    case 'BIGINT':
    case 'DECIMAL':
    case 'DOUBLE':
      return '1';
    default:
      return 'NULL';
  }
}
