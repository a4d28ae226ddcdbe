import { typeName, type Type } from '../../../language/values/type.ts';
import type { CommandBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { CommandField, CreateCommand } from '../../syntax/ast.ts';
import type { BlockContext } from '../environment/environment.ts';
import { checkDuplicates, checkSafeName } from '../name/name-rules.ts';
import { resolveFieldType } from '../type/resolve-type.ts';
import { callerDefaultOf } from './caller-default.ts';
import { allowOf, checksOf } from './command-checks.ts';
import { defaultValue } from './default-value.ts';

type Field = CommandBlock['fields'][number];

/** COMMAND (docs/language.md#command): the types of its arguments, and the stream id among them. */
export function checkCommand(tree: CreateCommand, context: BlockContext): CommandBlock | undefined {
  const { report, text, references } = context;
  const owner = `command '${tree.name.text}'`;
  const kept = checkDuplicates(
    tree.fields.map((field) => field.name),
    owner,
    report,
  );
  const fields: Field[] = [];
  for (const [index, node] of tree.fields.entries()) {
    checkSafeName(node.name, 'a field', report);
    const type = resolveFieldType(node, context);
    if (type !== undefined && kept.has(index)) fields.push(commandField(node, type, context));
  }
  const stream = streamField(tree, owner, report);
  if (stream === undefined) {
    report(diagnose('E0425', tree.name.span, { name: tree.name.text }));
    return undefined;
  }
  checkStreamField(stream, fields.find((field) => field.name === stream.name.text)?.type, report);
  const checks = checksOf(tree, fields, context);
  const allow = tree.allow === undefined ? undefined : allowOf(tree.allow, tree, fields, context);
  return {
    kind: 'command',
    name: tree.name.text,
    text,
    references: references(),
    fields,
    streamField: stream.name.text,
    ...(checks.length === 0 ? {} : { checks }),
    ...(allow === undefined ? {} : { allow }),
  };
}

function commandField(node: CommandField, type: Type, context: BlockContext): Field {
  const { report } = context;
  const name = node.name.text;
  const callerDefault = node.default === undefined ? undefined : callerDefaultOf(node.default, type, node, context);
  const value =
    node.default === undefined || callerDefault !== undefined
      ? undefined
      : defaultValue(node.default, type, name, context);
  if (value === null && node.default !== undefined) report(diagnose('E0406', node.default.span, { name }));
  return {
    name,
    type,
    key: node.key,
    sensitive: node.sensitive,
    required: !node.nullable && node.default === undefined,
    nullable: node.nullable,
    ...(value === undefined ? {} : { default: value }),
    ...(callerDefault === undefined ? {} : { callerDefault }),
  };
}

/** The field marked KEY, else the first. */
function streamField(tree: CreateCommand, owner: string, report: Report): CommandField | undefined {
  const [key, ...more] = tree.fields.filter((field) => field.key);
  for (const second of more) report(diagnose('E0402', second.name.span, { owner, name: second.name.text }));
  return key ?? tree.fields[0];
}

const streamTypes: ReadonlySet<Type['kind']> = new Set(['STRING', 'UUID', 'INT', 'BIGINT']);

function checkStreamField(node: CommandField, type: Type | undefined, report: Report): void {
  const name = node.name.text;
  if (type !== undefined && !streamTypes.has(type.kind)) {
    report(diagnose('E0403', node.type.span, { name, type: typeName(type) }));
  }
  if (node.sensitive) report(diagnose('E0404', node.name.span, { name }));
  const emptyDefault = node.default?.kind === 'StringLiteral' && node.default.value === '';
  if (node.nullable || emptyDefault) report(diagnose('E0405', node.name.span, { name }));
}
