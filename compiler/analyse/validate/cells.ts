/**
 * Decides guards about one subject. Such a guard can only distinguish a few cells: below, at, between and above the numbers it names; each
 * text that it names and any other; less, equal or greater for two subjects. A guard is then true in some of them. Any other guard is not
 * decidable here and gives undefined.
 */
import { compareDecimal, parseDecimal } from '../../../language/values/decimal.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';

export interface Cells {
  /** For people: `:n > 5`, `status = 'open'`. */
  readonly labels: readonly string[];
  /** For each guard, the cells in which it is true. */
  readonly holds: readonly (readonly boolean[])[];
  /** Whether the subject can be NULL, which is in no cell and makes no guard true. */
  readonly nullable: boolean;
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  equal: (order) => order === 0,
  not_equal: (order) => order !== 0,
  less: (order) => order < 0,
  less_equal: (order) => order <= 0,
  greater: (order) => order > 0,
  greater_equal: (order) => order >= 0,
};
const mirrored: Readonly<Record<string, string>> = {
  equal: 'equal',
  not_equal: 'not_equal',
  less: 'greater',
  less_equal: 'greater_equal',
  greater: 'less',
  greater_equal: 'less_equal',
};

/** A comparison in normal form: the subject is on the left. */
interface Atom {
  readonly subject: TypedExpression;
  readonly other: TypedExpression;
  readonly operator: string;
}

export function cellsOf(guards: readonly TypedExpression[]): Cells | undefined {
  const atoms = guards.map(atomsOf);
  if (atoms.some((found) => found === undefined)) return undefined;
  const all = atoms.flatMap((found) => found ?? []);
  const [first] = all;
  if (first === undefined) return undefined;
  const key = keyOf(first);
  if (all.some((atom) => keyOf(atom) !== key)) return undefined;
  const space = first.other.kind === 'literal' ? literalSpace(all) : pairSpace(first);
  if (space === undefined) return undefined;
  const holds = guards.map((guard) => space.cells.map((cell) => evaluate(guard, (atom) => space.order(atom, cell))));
  return { labels: space.labels, holds, nullable: first.subject.nullable || first.other.nullable };
}

/** The constant result of a comparison of two literals; undefined for anything else, and if it is not decidable here. */
export function literalComparison(part: TypedExpression): boolean | undefined {
  if (part.kind !== 'call') return undefined;
  const holds = comparisons[part.function];
  const [left, right] = part.arguments.map(withoutCast);
  if (holds === undefined || left?.kind !== 'literal' || right?.kind !== 'literal') return undefined;
  if (left.value === null || right.value === null) return undefined;
  if (isNumber(left) && isNumber(right)) return holds(compare(String(left.value), String(right.value)));
  const texts = left.type.kind === 'STRING' && right.type.kind === 'STRING';
  const equality = part.function === 'equal' || part.function === 'not_equal';
  return texts && equality ? holds(left.value === right.value ? 0 : 1) : undefined;
}

/** Two atoms of one key have the same subject. */
function keyOf({ subject, other }: Atom): string {
  return other.kind === 'literal' ? (nameOf(subject) ?? '') : `${nameOf(subject) ?? ''} ${nameOf(other) ?? ''}`;
}

function atomsOf(guard: TypedExpression): readonly Atom[] | undefined {
  if (guard.kind === 'in-list') {
    const atoms = guard.list.map((other) => atomOf(guard.operand, other, 'equal'));
    return atoms.every((atom) => atom !== undefined) ? atoms : undefined;
  }
  if (guard.kind !== 'call') return undefined;
  if (guard.function === 'and' || guard.function === 'or' || guard.function === 'not') {
    const parts = guard.arguments.map(atomsOf);
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
  }
  const atom = atomOfCall(guard);
  return atom === undefined ? undefined : [atom];
}

function atomOfCall(guard: TypedExpression & { kind: 'call' }): Atom | undefined {
  const [left, right] = guard.arguments;
  if (comparisons[guard.function] === undefined || left === undefined || right === undefined) return undefined;
  return atomOf(left, right, guard.function);
}

function atomOf(left: TypedExpression, right: TypedExpression, operator: string): Atom | undefined {
  const a = withoutCast(left);
  const b = withoutCast(right);
  if (a.kind === 'literal') return b.kind === 'literal' ? undefined : atomOf(b, a, mirrored[operator] ?? operator);
  if (nameOf(a) === undefined || (b.kind !== 'literal' && nameOf(b) === undefined)) return undefined;
  if (b.kind === 'literal' && b.value === null) return undefined;
  // Two names in alphabetical order, so that `a < b` and `b > a` are one.
  const swap = b.kind !== 'literal' && (nameOf(b) ?? '') < (nameOf(a) ?? '');
  return swap ? { subject: b, other: a, operator: mirrored[operator] ?? operator } : { subject: a, other: b, operator };
}

/** Widening casts change no comparison. */
function withoutCast(expression: TypedExpression): TypedExpression {
  return expression.kind === 'cast' && expression.mode === 'implicit' ? withoutCast(expression.operand) : expression;
}

function nameOf(expression: TypedExpression): string | undefined {
  if (expression.kind === 'argument') return `:${expression.name}`;
  return expression.kind === 'state' ? expression.name : undefined;
}

interface Space<C> {
  readonly cells: readonly C[];
  readonly labels: readonly string[];
  /** The order of an atom's subject relative to its other side in a cell: negative, 0 or positive. */
  readonly order: (atom: Atom, cell: C) => number;
}

function pairSpace(atom: Atom): Space<number> {
  const [left, right] = [nameOf(atom.subject) ?? '', nameOf(atom.other) ?? ''];
  return {
    cells: [-1, 0, 1],
    labels: [`${left} < ${right}`, `${left} = ${right}`, `${left} > ${right}`],
    order: (_atom, cell) => cell,
  };
}

function literalSpace(atoms: readonly Atom[]): Space<number> | undefined {
  const [first] = atoms;
  const name = first === undefined ? undefined : nameOf(first.subject);
  const values = atoms.map((atom) => (atom.other.kind === 'literal' ? atom.other : undefined));
  if (name === undefined || values.some((value) => value === undefined)) return undefined;
  const literals = values.flatMap((value) => (value === undefined ? [] : [value]));
  if (literals.every((value) => isNumber(value)))
    return numberSpace(
      name,
      literals.map((value) => String(value.value)),
    );
  const equalities = atoms.every((atom) => atom.operator === 'equal' || atom.operator === 'not_equal');
  if (!equalities || !literals.every((value) => typeof value.value === 'string' && value.type.kind === 'STRING'))
    return undefined;
  return textSpace(
    name,
    literals.map((value) => String(value.value)),
  );
}

function isNumber({ type }: TypedExpression): boolean {
  return type.kind === 'INT' || type.kind === 'BIGINT' || type.kind === 'DECIMAL';
}

/** Cell 2i is below the i-th number (and above the one before), 2i + 1 is at it, the last is above all. */
function numberSpace(name: string, written: readonly string[]): Space<number> {
  const points = Array.from(new Set(written.map(canonical))).sort(compare);
  const labels = points.flatMap((point, index) => {
    const before = points[index - 1];
    return [before === undefined ? `${name} < ${point}` : `${before} < ${name} < ${point}`, `${name} = ${point}`];
  });
  labels.push(`${name} > ${points.at(-1) ?? '0'}`);
  return {
    cells: labels.map((_, index) => index),
    labels,
    order: ({ other }, cell) =>
      cell - (2 * points.indexOf(canonical(other.kind === 'literal' ? String(other.value) : '')) + 1),
  };
}

function textSpace(name: string, written: readonly string[]): Space<number> {
  const texts = Array.from(new Set(written)).sort();
  const quoted = texts.map((text) => `'${text.replaceAll("'", "''")}'`);
  return {
    cells: [...texts.keys(), texts.length],
    labels: [...quoted.map((text) => `${name} = ${text}`), `${name} other than ${quoted.join(', ')}`],
    order: ({ other }, cell) => (other.kind === 'literal' && texts[cell] === other.value ? 0 : 1),
  };
}

/** The number without redundant zeros, so that 1 and 1.00 are one point. */
function canonical(text: string): string {
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
}

function compare(a: string, b: string): number {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  if (left === undefined || right === undefined) return 0;
  return compareDecimal(left.unscaled, right.unscaled, left.scale, right.scale);
}

function evaluate(guard: TypedExpression, order: (atom: Atom) => number): boolean {
  if (guard.kind === 'in-list') {
    const found = guard.list.some((other) => {
      const atom = atomOf(guard.operand, other, 'equal');
      return atom !== undefined && order(atom) === 0;
    });
    return found !== guard.negated;
  }
  if (guard.kind !== 'call') return false;
  const [left, right] = guard.arguments;
  if (left === undefined) return false;
  if (guard.function === 'not') return !evaluate(left, order);
  if (right !== undefined && guard.function === 'and') return evaluate(left, order) && evaluate(right, order);
  if (right !== undefined && guard.function === 'or') return evaluate(left, order) || evaluate(right, order);
  const atom = atomOfCall(guard);
  return atom !== undefined && comparisons[atom.operator]?.(order(atom)) === true;
}
