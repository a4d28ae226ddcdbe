import type { Type } from '../../../language/values/type.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Diagnostic, Report } from '../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { Name, TypeName } from '../../syntax/ast.ts';
import type { Environment } from '../environment/environment.ts';
import { recordBlockUse } from '../name/record-block-use.ts';
import { foreignTypes, insteadOf } from '../../syntax/habits/names.ts';

/** Types without numbers, by every name they have (docs/language.md#types). */
const plainTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['STRING', { kind: 'STRING' }],
  ['TEXT', { kind: 'STRING' }],
  ['VARCHAR', { kind: 'STRING' }],
  ['UUID', { kind: 'UUID' }],
  ['INT', { kind: 'INT' }],
  ['INTEGER', { kind: 'INT' }],
  ['BIGINT', { kind: 'BIGINT' }],
  ['DECIMAL', { kind: 'DECIMAL', precision: 18, scale: 6, bare: true }],
  ['NUMERIC', { kind: 'DECIMAL', precision: 18, scale: 6, bare: true }],
  ['DOUBLE', { kind: 'DOUBLE' }],
  ['FLOAT', { kind: 'DOUBLE' }],
  ['REAL', { kind: 'DOUBLE' }],
  ['BOOLEAN', { kind: 'BOOLEAN' }],
  ['BOOL', { kind: 'BOOLEAN' }],
  ['TIMESTAMP', { kind: 'TIMESTAMP' }],
  ['DATE', { kind: 'DATE' }],
  ['INTERVAL', { kind: 'INTERVAL' }],
  ['JSON', { kind: 'JSON' }],
]);

/** The blocks around the type, among which are the enums. */
type TypeContext = {
  readonly environment: Pick<Environment, 'find' | 'names' | 'recordUse'>;
  readonly report: Report;
};

const maximumPrecision = 18;
const maximumLength = 10_485_760;

/** The type of a declared field, whose values are stored: any but INTERVAL. Undefined, with a report, when there is none. */
export function resolveFieldType(
  field: { readonly name: Name; readonly type: TypeName },
  context: TypeContext,
): Type | undefined {
  const type = resolveType(field.type, context, field.name);
  if (type?.kind !== 'INTERVAL') return type;
  context.report(diagnose('E0315', field.type.span, { name: field.name.text, type: 'INTERVAL' }));
  return undefined;
}

/** The type of a name; undefined, with a report that names it, when there is none. `declared` is the field that has the type. */
export function resolveType(node: TypeName, context: TypeContext, declared?: Name): Type | undefined {
  const { report } = context;
  const plain = plainTypes.get(node.name);
  if (plain === undefined) return resolveEnum(node, context, declared);
  if (node.arguments.length === 0) return plain;
  const { type, problem } = withNumbers(node.name, plain, node.arguments);
  if (problem === undefined) return type;
  report(diagnose('E0302', node.span, { type: `${node.name}(${node.arguments.join(',')})`, problem }));
  return undefined;
}

/** Whether a word, in any case, is the name of a type. */
export function isPlainType(word: string): boolean {
  return plainTypes.has(word.toUpperCase());
}

function resolveEnum(node: TypeName, context: TypeContext, declared: Name | undefined): Type | undefined {
  const { environment, report } = context;
  const name: Name = { kind: 'Name', span: node.span, text: node.name, quoted: false };
  const found = environment.find('enum', node.name);
  recordBlockUse('enum', name, found, environment);
  if (found.status === 'unknown') report(unknownType(node, declared, environment.names('enum')));
  if (found.status !== 'found') return undefined;
  const { name: enumName, values } = found.block;
  if (node.arguments.length === 0) return { kind: 'STRING', enum: { name: enumName, values } };
  const type = `${enumName}(${node.arguments.join(',')})`;
  report(diagnose('E0302', node.span, { type, problem: `${enumName} takes no numbers` }));
  return undefined;
}

function unknownType({ name, span }: TypeName, declared: Name | undefined, enums: readonly string[]): Diagnostic {
  if (declared !== undefined && plainTypes.has(declared.text.toUpperCase())) {
    const { file } = span;
    const written = file.text.slice(span.start, span.end);
    const instead = `the name comes before the type: ${written} ${declared.text.toUpperCase()}`;
    return diagnose('E0301', span, { name: written, nearest: [], instead });
  }
  const instead = insteadOf(foreignTypes, name.toUpperCase());
  if (instead !== undefined) return diagnose('E0301', span, { name, nearest: [], instead });
  return diagnose('E0301', span, { name, nearest: nearestNames(name, [...plainTypes.keys(), ...enums]) });
}

function withNumbers(name: string, plain: Type, numbers: readonly number[]): { type: Type; problem?: string } {
  const [first = 0, second = 0] = numbers;
  if (!numbers.every(Number.isInteger)) return { type: plain, problem: 'takes whole numbers' };
  if (plain.kind === 'DECIMAL') {
    if (numbers.length > 2) return { type: plain, problem: 'takes a precision and a scale' };
    if (first < 1 || first > maximumPrecision)
      return { type: plain, problem: `the precision is 1 to ${maximumPrecision} digits` };
    if (second > first) return { type: plain, problem: `the scale cannot exceed the precision, ${first}` };
    return { type: { kind: 'DECIMAL', precision: first, scale: second } };
  }
  if (name === 'VARCHAR') {
    if (numbers.length > 1) return { type: plain, problem: 'takes one length' };
    if (first < 1 || first > maximumLength)
      return { type: plain, problem: `the length is 1 to ${maximumLength} characters` };
    return { type: { kind: 'STRING', length: first } };
  }
  const length = plain.kind === 'STRING' && numbers.length === 1 ? `; write VARCHAR(${first})` : '';
  return { type: plain, problem: `${name} takes no numbers${length}` };
}
