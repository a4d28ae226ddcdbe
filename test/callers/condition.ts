/** Conditions about a row and a caller: as text for schemac and for PostgreSQL, and their value by SQL's three-valued logic. */
import type { Chance } from '../crash/chance.ts';

/** Numbers are hundredths, so that INT, BIGINT and DECIMAL(10,2) compare exactly; all else compares as its text. */
export type Value = bigint | boolean | string | null;
export type Row = Readonly<Record<string, Value>>;

export const kinds = {
  STRING: 'text',
  INT: 'int',
  BIGINT: 'bigint',
  'DECIMAL(10,2)': 'numeric(10,2)',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  UUID: 'uuid',
  Light: 'text',
} as const;
export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as [Kind, ...Kind[]]; // keys of a literal

/** Values of each kind, few, so that equal ones meet. */
export const pools: Readonly<Record<Kind, readonly [Value, ...Value[]]>> = {
  STRING: ['ada', 'bo', 'blue', '', "it's", 'Ω', 'Ada'],
  INT: [-100n, 0n, 100n, 200n],
  BIGINT: [0n, 100n, 900719925474099300n, -900719925474099500n],
  'DECIMAL(10,2)': [0n, 100n, 125n, -310n],
  BOOLEAN: [true, false],
  DATE: ['2026-01-01', '2026-01-02', '1999-12-31'],
  TIMESTAMP: ['2026-01-01T08:00:00.000000Z', '2026-01-01T08:00:00.000001Z', '2025-06-01T00:00:00.000000Z'],
  UUID: ['11111111-1111-4111-8111-111111111111', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'],
  Light: ['green', 'amber', 'red'],
};
const numeric: readonly Kind[] = ['INT', 'BIGINT', 'DECIMAL(10,2)'];

export interface Who {
  readonly subject: string | null;
  readonly roles: readonly string[];
  /** Values by the kind of the claim; a claim of the name `c_<kind>` has it. */
  readonly claims: Readonly<Partial<Record<Kind, Value>>>;
  readonly teams?: readonly string[];
}

export type Columns = Readonly<Record<string, Kind>>;

export type Operand =
  | { readonly kind: 'column'; readonly name: string; readonly type: Kind }
  | { readonly kind: 'literal'; readonly type: Kind; readonly value: Value }
  | { readonly kind: 'claim'; readonly type: Kind }
  | { readonly kind: 'user'; readonly type: 'STRING' };

const comparisons = ['=', '<>', '<', '<=', '>', '>=', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM'] as const;
type Comparison = (typeof comparisons)[number];

export type Condition =
  | { readonly kind: 'compare'; readonly left: Operand; readonly right: Operand; readonly by: Comparison }
  | { readonly kind: 'null'; readonly of: Operand; readonly not: boolean }
  | { readonly kind: 'role'; readonly name: string }
  | { readonly kind: 'team'; readonly of: Operand }
  | { readonly kind: 'truth'; readonly of: Operand }
  | { readonly kind: 'list'; readonly of: Operand; readonly items: readonly Operand[]; readonly not: boolean }
  | { readonly kind: 'between'; readonly of: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: 'set'; readonly of: Operand; readonly form: 'IN' | 'NOT IN' | '= ANY'; readonly from: Subquery }
  | { readonly kind: 'exists'; readonly not: boolean; readonly from: Subquery }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'AND' | 'OR'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'is'; readonly of: Condition; readonly what: 'TRUE' | 'FALSE' | 'UNKNOWN'; readonly not: boolean }
  | { readonly kind: 'case'; readonly when: Condition; readonly then: Condition; readonly else: Condition };

/** Rows of `Member`, of which one column is read. */
interface Subquery {
  readonly column: string;
  readonly where: Condition | undefined;
}

export const memberColumns: Columns = { member_id: 'STRING', who: 'STRING', team: 'STRING', n: 'INT', day: 'DATE' };
export const roles = ['blue', 'clerk', 'nurse'] as const;

// ---- values

type Truth = boolean | null;
export interface Known {
  readonly who: Who;
  readonly members: readonly Row[];
}

export function valueOf(operand: Operand, row: Row, { who }: Known): Value {
  switch (operand.kind) {
    case 'column': {
      const value = row[operand.name];
      if (value === undefined) throw new Error(`the row has no column ${operand.name}`);
      return value;
    }
    case 'literal':
      return operand.value;
    case 'claim':
      return who.claims[operand.type] ?? null;
    case 'user':
      return who.subject;
  }
}

/** By code point: none of the texts has characters of two UTF-16 units. */
function order(one: Value, other: Value): number {
  return one === other ? 0 : (one ?? 0) < (other ?? 0) ? -1 : 1;
}

function compared(one: Value, by: Comparison, other: Value): Truth {
  if (by === 'IS DISTINCT FROM') return one !== other;
  if (by === 'IS NOT DISTINCT FROM') return one === other;
  if (one === null || other === null) return null;
  const sign = order(one, other);
  return { '=': sign === 0, '<>': sign !== 0, '<': sign < 0, '<=': sign <= 0, '>': sign > 0, '>=': sign >= 0 }[by];
}

const not = (truth: Truth): Truth => (truth === null ? null : !truth);
const both = (one: Truth, other: Truth): Truth =>
  one === false || other === false ? false : one === null || other === null ? null : true;
const either = (one: Truth, other: Truth): Truth => not(both(not(one), not(other)));
const among = (value: Value, items: readonly Value[]): Truth =>
  items.map((item) => compared(value, '=', item)).reduce<Truth>(either, false);

export function truthOf(condition: Condition, row: Row, known: Known): Truth {
  const of = (operand: Operand): Value => valueOf(operand, row, known);
  const truth = (inner: Condition): Truth => truthOf(inner, row, known);
  switch (condition.kind) {
    case 'compare':
      return compared(of(condition.left), condition.by, of(condition.right));
    case 'null':
      return (of(condition.of) === null) !== condition.not;
    case 'role':
      return known.who.roles.includes(condition.name);
    case 'team':
      return known.who.teams === undefined ? null : among(of(condition.of), known.who.teams);
    case 'truth':
      return of(condition.of) as Truth; // of a BOOLEAN
    case 'list': {
      const found = among(of(condition.of), condition.items.map(of));
      return condition.not ? not(found) : found;
    }
    case 'between':
      return both(
        compared(of(condition.of), '>=', of(condition.low)),
        compared(of(condition.of), '<=', of(condition.high)),
      );
    case 'set': {
      const rows = chosen(condition.from, known);
      const found = among(
        of(condition.of),
        rows.map((one) => one[condition.from.column] ?? null),
      );
      return condition.form === 'NOT IN' ? not(found) : found;
    }
    case 'exists':
      return chosen(condition.from, known).length > 0 !== condition.not;
    case 'not':
      return not(truth(condition.of));
    case 'AND':
      return both(truth(condition.left), truth(condition.right));
    case 'OR':
      return either(truth(condition.left), truth(condition.right));
    case 'is': {
      const wanted = { TRUE: true, FALSE: false, UNKNOWN: null }[condition.what];
      return (truth(condition.of) === wanted) !== condition.not;
    }
    case 'case':
      return truth(condition.when) === true ? truth(condition.then) : truth(condition.else);
  }
}

function chosen({ where }: Subquery, known: Known): readonly Row[] {
  return known.members.filter((member) => where === undefined || truthOf(where, member, known) === true);
}

// ---- text

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A number as it is written, from hundredths. */
export function numberText(hundredths: bigint, kind: Kind): string {
  if (kind !== 'DECIMAL(10,2)') return String(hundredths / 100n);
  const [sign, size] = hundredths < 0n ? ['-', -hundredths] : ['', hundredths];
  return `${sign}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

export function literal(value: Value, kind: Kind): string {
  if (value === null || typeof value === 'boolean') return String(value).toUpperCase();
  if (typeof value === 'bigint') return numberText(value, kind);
  return kind === 'DATE' || kind === 'TIMESTAMP' ? `${kind} ${quoted(value)}` : quoted(value);
}

export interface Dialect {
  readonly claim: (kind: Kind) => string;
  readonly user: string;
  readonly role: (name: string) => string;
  readonly teams: string;
  readonly members: string;
}

export const claimName = (kind: Kind): string => `c_${kind.replace(/\W.*/, '').toLowerCase()}`;

export const schemac: Dialect = {
  claim: (kind) => `CLAIM(${claimName(kind)})`,
  user: 'CURRENT_USER',
  role: (name) => `HAS_ROLE(${quoted(name)})`,
  teams: 'CLAIM(teams)',
  members: 'Reg."Member$Agg"',
};

/** A setting begins with a sign, so that an empty text differs from none. */
const setting = (name: string): string => `substr(nullif(current_setting('caller.${name}', true), ''), 2)`;
export const postgres: Dialect = {
  claim: (kind) => `(${setting(claimName(kind))}::${kinds[kind]})`,
  user: setting('subject'),
  role: (name) => `(${quoted(name)} = ANY (string_to_array(current_setting('caller.roles'), ',')))`,
  teams: `(${setting('teams')}::text[])`,
  members: 'member',
};

export function textOf(condition: Condition, dialect: Dialect, prefix = ''): string {
  const of = (operand: Operand): string => {
    switch (operand.kind) {
      case 'column':
        return prefix + operand.name;
      case 'literal':
        return literal(operand.value, operand.type);
      case 'claim':
        return dialect.claim(operand.type);
      case 'user':
        return dialect.user;
    }
  };
  const text = (inner: Condition): string => textOf(inner, dialect, prefix);
  const query = (columns: string, { where }: Subquery): string =>
    `(SELECT ${columns} FROM ${dialect.members} m${where === undefined ? '' : ` WHERE ${textOf(where, dialect, 'm.')}`})`;
  switch (condition.kind) {
    case 'compare':
      return `(${of(condition.left)} ${condition.by} ${of(condition.right)})`;
    case 'null':
      return `(${of(condition.of)} IS ${condition.not ? 'NOT ' : ''}NULL)`;
    case 'role':
      return dialect.role(condition.name);
    case 'team':
      return `(${of(condition.of)} = ANY (${dialect.teams}))`;
    case 'truth':
      return of(condition.of);
    case 'list':
      return `(${of(condition.of)} ${condition.not ? 'NOT ' : ''}IN (${condition.items.map(of).join(', ')}))`;
    case 'between':
      return `(${of(condition.of)} BETWEEN ${of(condition.low)} AND ${of(condition.high)})`;
    case 'set':
      return `(${of(condition.of)} ${condition.form} ${query(`m.${condition.from.column}`, condition.from)})`;
    case 'exists':
      return `(${condition.not ? 'NOT ' : ''}EXISTS ${query('1', condition.from)})`;
    case 'not':
      return `(NOT ${text(condition.of)})`;
    case 'AND':
    case 'OR':
      return `(${text(condition.left)} ${condition.kind} ${text(condition.right)})`;
    case 'is':
      return `(${text(condition.of)} IS ${condition.not ? 'NOT ' : ''}${condition.what})`;
    case 'case':
      return `(CASE WHEN ${text(condition.when)} THEN ${text(condition.then)} ELSE ${text(condition.else)} END)`;
  }
}

// ---- chance

export function pick<T>(chance: Chance, items: readonly T[]): T {
  return items[chance.below(items.length)] as T; // no list here is empty
}

/** A condition over some columns; `sets` says whether subqueries are allowed in it. */
export function someCondition(chance: Chance, columns: Columns, sets: boolean, depth = 3): Condition {
  const inner = (): Condition => someCondition(chance, columns, sets, depth - 1);
  const flip = (): boolean => chance.below(2) === 0;
  const shape = depth === 0 ? 'part' : pick(chance, ['part', 'part', 'AND', 'OR', 'OR', 'not', 'is', 'case'] as const);
  switch (shape) {
    case 'AND':
    case 'OR':
      return { kind: shape, left: inner(), right: inner() };
    case 'not':
      return { kind: 'not', of: inner() };
    case 'is':
      return { kind: 'is', of: inner(), what: pick(chance, ['TRUE', 'FALSE', 'UNKNOWN'] as const), not: flip() };
    case 'case':
      return { kind: 'case', when: inner(), then: inner(), else: inner() };
    case 'part':
      return somePart(chance, columns, sets);
  }
}

function somePart(chance: Chance, columns: Columns, sets: boolean): Condition {
  const flip = (): boolean => chance.below(2) === 0;
  const column = (allowed: readonly Kind[]): Operand | undefined => {
    const names = Object.keys(columns).filter((name) => allowed.includes(columns[name] as Kind)); // a key of it
    if (names.length === 0) return undefined;
    const name = pick(chance, names);
    return { kind: 'column', name, type: columns[name] as Kind }; // a key of it
  };
  const subject = column(kindNames) as Operand; // no relation is without columns
  const { type } = subject;
  const alike = numeric.includes(type) ? numeric : [type];
  const fixed = (): Operand => ({ kind: 'literal', type, value: pick(chance, pools[type]) });
  const texts = column(['STRING']);
  const other = (): Operand => {
    const form = pick(chance, ['column', 'literal', 'claim', 'claim', 'user'] as const);
    if (form === 'column') return column(alike) ?? fixed();
    if (form === 'user' && type === 'STRING') return { kind: 'user', type };
    return form === 'literal' ? fixed() : { kind: 'claim', type: pick(chance, alike) };
  };
  const from = (wanted: readonly Kind[]): Subquery | undefined => {
    const names = Object.keys(memberColumns).filter((name) => wanted.includes(memberColumns[name] as Kind)); // a key of it
    if (names.length === 0) return undefined;
    const where = flip()
      ? { ...memberIsCaller }
      : chance.below(4) === 0
        ? undefined
        : someCondition(chance, memberColumns, false, 1);
    return { column: pick(chance, names), where };
  };
  const form = pick(chance, [
    ...(['compare', 'compare', 'compare', 'null', 'role', 'list', 'between', 'truth', 'aside'] as const),
    ...(sets ? (['set', 'set', 'exists'] as const) : []),
    ...(texts === undefined ? [] : (['team'] as const)),
  ]);
  switch (form) {
    case 'compare': {
      const isOrdered = type !== 'BOOLEAN';
      return {
        kind: 'compare',
        left: subject,
        by: pick(chance, isOrdered ? comparisons : (['=', '<>'] as const)),
        right: other(),
      };
    }
    case 'null':
      return { kind: 'null', of: subject, not: flip() };
    case 'role':
      return { kind: 'role', name: pick(chance, roles) };
    case 'team':
      return { kind: 'team', of: texts ?? subject };
    case 'list':
      return { kind: 'list', of: subject, items: [other(), fixed()], not: flip() };
    case 'between':
      return type === 'BOOLEAN'
        ? { kind: 'truth', of: subject }
        : { kind: 'between', of: subject, low: other(), high: other() };
    case 'truth':
      return { kind: 'truth', of: column(['BOOLEAN']) ?? { kind: 'claim', type: 'BOOLEAN' } };
    case 'aside': {
      const asked: Operand = flip()
        ? { kind: 'user', type: 'STRING' }
        : { kind: 'claim', type: pick(chance, kindNames) };
      return { kind: 'null', of: asked, not: flip() };
    }
    case 'set': {
      const set = from(alike);
      if (set === undefined) return { kind: 'null', of: subject, not: flip() };
      return { kind: 'set', of: subject, form: pick(chance, ['IN', 'IN', 'NOT IN', '= ANY'] as const), from: set };
    }
    case 'exists':
      return { kind: 'exists', not: flip(), from: from(kindNames) ?? { column: 'n', where: undefined } };
  }
}

const memberIsCaller: Condition = {
  kind: 'compare',
  left: { kind: 'column', name: 'who', type: 'STRING' },
  by: '=',
  right: { kind: 'user', type: 'STRING' },
};
