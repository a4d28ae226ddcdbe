import type { Type } from '../../../language/values/type.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { TypeName } from '../../syntax/ast.ts';

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

const maximumPrecision = 18;
const maximumLength = 10_485_760;

/** The type of a declared field, whose values are stored: any but INTERVAL. Undefined, with a report, when there is none. */
export function resolveFieldType(node: TypeName, field: string, report: Report): Type | undefined {
  const type = resolveType(node, report);
  if (type?.kind !== 'INTERVAL') return type;
  report(diagnose('E0315', node.span, { name: field }));
  return undefined;
}

/** The type of a name; undefined, with a report that names it, when there is none. */
export function resolveType(node: TypeName, report: Report): Type | undefined {
  const plain = plainTypes.get(node.name);
  if (plain === undefined) {
    const name = node.name;
    report(diagnose('E0301', node.span, { name, nearest: nearestNames(name, plainTypes.keys()) }));
    return undefined;
  }
  if (node.arguments.length === 0) return plain;
  const { type, problem } = withNumbers(node.name, plain, node.arguments);
  if (problem === undefined) return type;
  report(diagnose('E0302', node.span, { type: `${node.name}(${node.arguments.join(',')})`, problem }));
  return undefined;
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
  return { type: plain, problem: `${name} takes no numbers` };
}
