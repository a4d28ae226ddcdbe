/** Domains by chance whose rows depend on the caller, and callers for them. */
import type { Chance } from '../crash/chance.ts';
import {
  claimName,
  kindNames,
  literal,
  memberColumns,
  pick,
  pools,
  roles,
  schemac,
  someCondition,
  textOf,
  truthOf,
  type Columns,
  type Condition,
  type Kind,
  type Row,
  type Value,
  type Who,
} from './condition.ts';

/** `undefined` is no clause, `all` is TO ALL. */
export type Clause = Condition | 'all' | undefined;

export interface Aggregate {
  readonly name: string;
  /** The fields of its events, in the order of the state. */
  readonly fields: Columns;
  readonly visible: Clause;
  readonly clear: Condition | undefined;
  /** The command `Try<name>` takes these from the caller. */
  readonly defaults: Readonly<Record<string, 'user' | 'claim'>>;
  readonly allow: Condition;
}

export interface Projection {
  readonly name: string;
  readonly columns: Columns;
  readonly visible: Clause;
  readonly clear: Condition | undefined;
}

export interface TestDomain {
  readonly aggregates: readonly Aggregate[];
  readonly projections: readonly Projection[];
  readonly text: string;
}

export const light = `CREATE ENUM Light AS ('green', 'amber', 'red');`;

/** Claims of all kinds, and the relation that subqueries read. */
export const claims = [
  ...kindNames.map((kind) => `CREATE CLAIM ${claimName(kind)} ${kind};`),
  'CREATE CLAIM teams STRING[];',
].join('\n');

const fieldsText = (columns: Columns, more: (name: string) => string = () => ''): string =>
  Object.entries(columns)
    .map(([name, kind]) => `${name} ${kind}${more(name)}`)
    .join(', ');

/** An aggregate with a command that sets its fields to arguments, except the first one, its key. */
export function settable(name: string, columns: Columns, clauses = '', sensitive: readonly string[] = []): string {
  const [key = '', ...fields] = Object.keys(columns);
  const rest = Object.fromEntries(fields.map((field) => [field, columns[field] as Kind])); // fields of it
  const mark = (field: string): string => (sensitive.includes(field) ? ' SENSITIVE' : '');
  return `
CREATE AGGREGATE ${name} (${key} STRING KEY, ${fieldsText(rest)}) ${clauses};
CREATE COMMAND Put${name} (${key} STRING, ${fieldsText(rest, (field) => ` NULL${mark(field)}`)});
CREATE EVENT ${name}Put (${fieldsText(rest, mark)});
CREATE DECISION Putting${name} FOR ${name} ON COMMAND Put${name}
EMIT AS SELECT EVENT ${name}Put (${fields.map((field) => `${field} := :${field}`).join(', ')});`;
}

export const members = settable('Member', memberColumns);

const clauseText = (visible: Clause, clear: Condition | undefined): string =>
  [
    visible === undefined ? '' : visible === 'all' ? 'VISIBLE TO ALL' : `VISIBLE WHERE ${textOf(visible, schemac)}`,
    clear === undefined ? '' : `CLEAR WHERE ${textOf(clear, schemac)}`,
  ].join(' ');

/** Rows with these columns, of values that meet those of conditions. */
export function someRows(chance: Chance, columns: Columns, count: number): readonly Row[] {
  const value = (kind: Kind): Value => (chance.below(4) === 0 ? null : pick(chance, pools[kind]));
  return Array.from({ length: count }, () =>
    Object.fromEntries(Object.entries(columns).map(([name, kind]) => [name, value(kind)])),
  );
}

/** A condition that some callers meet for some rows, and not for others: most by chance alone hold always or never. */
function tellingCondition(chance: Chance, columns: Columns): Condition {
  const rows = someRows(chance, columns, 12);
  const known = Array.from({ length: 6 }, () => ({
    who: someCaller(chance),
    members: someRows(chance, memberColumns, 4),
  }));
  for (;;) {
    const condition = someCondition(chance, columns, true);
    const shares = known.map((one) => rows.filter((row) => truthOf(condition, row, one) === true).length / rows.length);
    if (shares.filter((share) => share > 0.2 && share < 0.8).length >= 3) return condition;
  }
}

function someAggregate(chance: Chance, name: string): Aggregate {
  const kinds = [pick(chance, kindNames), pick(chance, kindNames), 'STRING', pick(chance, kindNames)] as const;
  const fields: Columns = {
    ...Object.fromEntries(kinds.map((kind, at) => [`f${at}`, kind])),
    n: 'INT',
    mark: 'STRING',
    secret: 'STRING',
  };
  const state: Columns = { aggregate_id: 'STRING', ...fields };
  return {
    name,
    fields,
    visible: chance.below(6) === 0 ? 'all' : tellingCondition(chance, state),
    clear: chance.below(2) === 0 ? undefined : someCondition(chance, state, true, 2),
    defaults: { f2: 'user', f0: 'claim' },
    allow: someCondition(chance, { id: 'STRING', f0: kinds[0], f2: 'STRING', n: 'INT' }, false, 2),
  };
}

function trying({ name, fields, defaults, allow }: Aggregate): string {
  const kind = fields['f0'] ?? 'INT';
  return `
CREATE COMMAND Try${name} (id STRING, f0 ${kind} DEFAULT ${defaults['f0'] === 'claim' ? schemac.claim(kind) : schemac.user},
  f2 STRING DEFAULT CURRENT_USER, n INT NULL, mark STRING) ALLOW WHERE ${textOf(allow, schemac)} MESSAGE 'not this one';
CREATE DECISION Trying${name} FOR ${name} ON COMMAND Try${name}
EMIT AS SELECT EVENT ${name}Put (f0 := :f0, f2 := :f2, n := :n, mark := :mark);
CREATE COMMAND Touch${name} (id STRING);
CREATE DECISION Touching${name} FOR ${name} ON COMMAND Touch${name}
STATE AS SELECT mark AS touched FROM Reg."${name}$Agg" WHERE aggregate_id = :id
EMIT AS SELECT EVENT ${name}Put (mark := touched) WHERE touched = 'never';`;
}

/** Projections over one aggregate: its rows, its groups, its events, and the first one's rows. */
function someProjections(chance: Chance, { name, fields }: Aggregate): readonly (Projection & { text: string })[] {
  const clauses = (columns: Columns, hasSecret = false): Pick<Projection, 'visible' | 'clear'> => ({
    visible: chance.below(5) === 0 ? 'all' : tellingCondition(chance, columns),
    clear: hasSecret && chance.below(2) === 0 ? someCondition(chance, columns, true, 1) : undefined,
  });
  const whole: Columns = { id: 'STRING', ...fields };
  const grouped: Columns = { g: fields['f1'] ?? 'INT', n: 'BIGINT' };
  const written: Columns = { id: 'STRING', seq: 'BIGINT', x: fields['f0'] ?? 'INT' };
  const again: Columns = { id: 'STRING', n: 'INT' };
  const made = (suffix: string, columns: Columns, select: string): Projection & { text: string } => {
    const given = { name: `${name}${suffix}`, columns, ...clauses(columns, suffix === 'Rows') };
    return {
      ...given,
      text: `CREATE PROJECTION ${given.name} ${clauseText(given.visible, given.clear)} AS ${select};`,
    };
  };
  const listed = Object.keys(fields).join(', ');
  return [
    made('Rows', whole, `SELECT aggregate_id AS id, ${listed} FROM Reg."${name}$Agg" ORDER BY id`),
    made('Groups', grouped, `SELECT f1 AS g, COUNT(*) AS n FROM Reg."${name}$Agg" GROUP BY f1 ORDER BY g`),
    made(
      'Writes',
      written,
      `SELECT stream_id AS id, seq, data.f0 AS x FROM Reg."${name}$Events" ORDER BY global_position`,
    ),
    made('Again', again, `SELECT id, n FROM Reg.${name}Rows ORDER BY id`),
  ];
}

export function someDomain(chance: Chance): TestDomain {
  const aggregates = Array.from({ length: 1 + chance.below(2) }, (_, at) => someAggregate(chance, `A${at}`));
  const projections = aggregates.flatMap((aggregate) => someProjections(chance, aggregate));
  const text = [
    light,
    claims,
    members,
    ...aggregates.map(({ name, fields, visible, clear }) =>
      settable(name, { id: 'STRING', ...fields }, clauseText(visible, clear), ['secret']),
    ),
    ...aggregates.map(trying),
    ...projections.map((projection) => projection.text),
  ].join('\n');
  return { aggregates, projections, text };
}

/** Subjects, teams and claims by chance; `undefined` claims are not in the token. */
export function someCaller(chance: Chance): Who {
  const some = <T>(value: T): T | undefined => (chance.below(3) === 0 ? undefined : value);
  return {
    subject: pick(chance, ['ada', 'bo', 'Ada', 'Ω']),
    roles: roles.filter(() => chance.below(3) === 0),
    claims: Object.fromEntries(
      kindNames.flatMap((kind) => {
        const value = some(pick(chance, pools[kind]));
        return value === undefined ? [] : [[kind, value]];
      }),
    ),
    ...(chance.below(2) === 0 ? {} : { teams: [pick(chance, ['ada', 'blue']), 'none'].slice(0, chance.below(3)) }),
  };
}

/** The claims as members of a token: numbers as their exact texts. */
export function tokenClaims({ claims: given, teams }: Who): Readonly<Record<string, unknown>> {
  const values = Object.entries(given).map(([kind, value]) => [
    claimName(kind as Kind), // a key of claims
    typeof value === 'bigint' ? literal(value, kind as Kind) : value, // a key of claims
  ]);
  return { ...Object.fromEntries(values), ...(teams === undefined ? {} : { teams }) };
}
