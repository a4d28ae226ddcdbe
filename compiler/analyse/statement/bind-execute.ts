import { typeName } from '../../../language/values/type.ts';
import type { CommandBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import { canCast } from '../../functions/cast.ts';
import { isText } from '../../functions/typing.ts';
import type { Assignment, Execute, ExecuteOption, Expression } from '../../syntax/ast.ts';
import { reportUnknownBlock } from '../name/unknown-block.ts';
import { isFaulty, literal, nullOf } from '../typed/typed.ts';
import { valuesNear } from '../literal/near-value.ts';
import { recordValueUse } from '../literal/record-value-use.ts';
import { literalAs, readLiteral, showLiteral } from '../literal/read-literal.ts';
import type { Environment } from '../environment/environment.ts';
import type { Binding } from '../query/binding.ts';
import type { BindScope, Bound, BoundExecute, Registry } from '../environment/registry.ts';
import { bindConstant } from './bind-constant.ts';
import { callerBinding } from './bind-query.ts';
import { boundWith } from './bound.ts';
import { reportMissing } from '../block/missing-arguments.ts';

type Field = CommandBlock['fields'][number];

/** EXECUTE (docs/language.md#commands-at-run-time): constant arguments, checked against the command's declaration as far as possible here. */
export function bindExecute(registry: Registry, statement: Execute, scope: BindScope): Bound<BoundExecute> {
  return boundWith((report) => {
    const binding = callerBinding(registry, scope, report);
    const { environment } = binding;
    const found = environment.find('command', statement.command.text);
    if (found.status !== 'found') {
      reportUnknownBlock('command', statement.command, environment, report);
      return undefined;
    }
    const command = found.block;
    const given = bindArguments(statement.arguments, command, binding);
    checkMissing(statement, command, given, report);
    const options = bindOptions(statement.options, binding);
    const [decision] = environment.deciders(command.name);
    if (decision === undefined) reportUndecided(statement.command, command.name, environment, report);
    return { command: command.name, decision: decision ?? '', arguments: given, options };
  });
}

function reportUndecided(node: Execute['command'], command: string, environment: Environment, report: Report): void {
  const waiting = environment.waitingDecider?.(command);
  const blocks = waiting === undefined ? [] : (environment.waitsFor?.('decision', waiting) ?? []);
  if (waiting === undefined || blocks.length === 0) report(diagnose('E0906', node.span, { command }));
  else report(diagnose('E0220', node.span, { waiting: `decision '${waiting}'`, blocks }));
}

function bindArguments(
  nodes: readonly Assignment[],
  command: CommandBlock,
  binding: Binding,
): BoundExecute['arguments'] {
  const seen = new Set<string>();
  return nodes.flatMap((node): BoundExecute['arguments'] => {
    const name = node.field.text;
    const field = command.fields.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (field === undefined) {
      const known = command.fields.map((candidate) => candidate.name);
      const parameters = { command: command.name, name, nearest: nearestNames(name, known), known };
      binding.report(diagnose('E0901', node.field.span, parameters));
      return [];
    }
    binding.environment.recordUse?.(node.field.span, { kind: 'command', name: command.name, part: field.name });
    if (seen.has(field.name)) binding.report(diagnose('E0413', node.field.span, { name: field.name }));
    seen.add(field.name);
    const value = bindArgument(node.value, field, command, binding);
    // An argument with an error was still given, so it is not missing.
    return [{ field: field.name, value: value ?? nullOf(field.type) }];
  });
}

function bindArgument(
  node: Expression,
  field: Field,
  command: CommandBlock,
  binding: Binding,
): TypedExpression | undefined {
  const written = readLiteral(node);
  const type = typeName(field.type);
  const refuse = (given: string): void => {
    const values = valuesNear(field.type, written?.form === 'text' ? written.text : '');
    binding.report(diagnose('E0907', node.span, { command: command.name, name: field.name, type, given, ...values }));
  };
  if (written?.form === 'null') {
    if (!field.nullable) binding.report(diagnose('E0911', node.span, { command: command.name, name: field.name }));
    return nullOf(field.type);
  }
  if (written !== undefined) {
    const value = literalAs(field.type, written);
    const empty = value === '' && field.name === command.streamField;
    if (value !== undefined && !empty) {
      recordValueUse(field.type, value, node.span, binding.environment);
      return literal(value, field.type);
    }
    refuse(empty ? 'an empty text' : field.sensitive ? 'this value' : showLiteral(written));
    return undefined;
  }
  const bound = bindConstant(node, `the argument '${field.name}'`, binding);
  if (isFaulty(bound)) return undefined;
  if (canCast(bound.type, field.type, 'assign') || isText(bound.type)) return bound;
  refuse(typeName(bound.type));
  return undefined;
}

function checkMissing(
  statement: Execute,
  command: CommandBlock,
  given: BoundExecute['arguments'],
  report: Report,
): void {
  const names = new Set(given.map((argument) => argument.field));
  // An unknown argument is probably a misspelt missing one, and is already reported.
  if (given.length < statement.arguments.length) return;
  reportMissing(command, names, statement.command.span, report);
}

type OptionName = BoundExecute['options'][number]['name'];

/** The options of EXECUTE, and the values they take. */
const options: ReadonlyMap<OptionName, string> = new Map([
  ['command_id', 'a text that is not empty'],
  ['expected_seq', 'a whole number from 0'],
  ['correlation_id', 'a text that is not empty'],
  ['causation_id', 'a text that is not empty'],
]);

function bindOptions(nodes: readonly ExecuteOption[], binding: Binding): BoundExecute['options'] {
  const seen = new Set<OptionName>();
  return nodes.flatMap((node): BoundExecute['options'] => {
    const written = node.name.text;
    const known = Array.from(options.keys());
    const name = known.find((candidate) => candidate === written.toLowerCase());
    if (name === undefined) {
      binding.report(
        diagnose('E0904', node.name.span, { name: written, nearest: nearestNames(written, known), known }),
      );
      return [];
    }
    if (seen.has(name)) binding.report(diagnose('E0413', node.name.span, { name }));
    seen.add(name);
    const value = bindConstant(node.value, `the option '${name}'`, binding);
    if (isFaulty(value)) return [];
    if (!fits(name, value))
      binding.report(diagnose('E0905', node.value.span, { name, takes: options.get(name) ?? '' }));
    return [{ name, value }];
  });
}

function fits(name: OptionName, value: TypedExpression): boolean {
  if (name === 'expected_seq') {
    const whole = value.type.kind === 'INT' || value.type.kind === 'BIGINT';
    return whole && (value.kind !== 'literal' || (value.value !== null && Number(value.value) >= 0));
  }
  const text = value.type.kind === 'STRING' || value.type.kind === 'UUID';
  return text && (value.kind !== 'literal' || value.value !== '');
}
