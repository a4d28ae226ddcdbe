/**
 * The table of access (docs/callers.md#seeing-what-is-allowed), for every door: what a caller may read and send, and which rows and values he sees.
 * Takes definitions and facts about a caller; reads no data.
 */
import {
  certainRowsFor,
  rowsFor,
  type AggregateBlock,
  type CallerCondition,
  type CallerFacts,
  type Catalog,
  type ProjectionBlock,
  type Rows,
} from '../../../compiler/index.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Type, Value } from '../../../language/values/type.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { commandColumns } from '../../registry/recorded-commands.ts';
import { askerOf, type Asker } from '../asker.ts';
import type { Caller } from '../caller.ts';
import { isCleared, may } from '../rights.ts';
import { accessColumns } from './access-columns.ts';

/** A relation or a command, and the clauses about it. */
export interface Accessible {
  readonly kind: 'state' | 'events' | 'commands' | 'projection' | 'command';
  readonly name: string;
  readonly right: string;
  /** VISIBLE or ALLOW as it is written. */
  readonly text: string | null;
  readonly condition?: CallerCondition;
  readonly clear?: CallerCondition;
  /** Empty for a command. */
  readonly columns: readonly Column[];
}

/** The rows that a caller sees; of a command, with which arguments he may send it. */
export type Share = 'all' | 'none' | 'some';

/** The facts about a caller as far as they are known. */
export interface CallerKnown extends CallerFacts {
  /** VISIBLE hides nothing from it. */
  readonly seesAll: boolean;
}

/** All rows. A session has no rights: there `granted` is NULL. */
export function accessTable(catalog: Catalog, caller: Caller, door: 'session' | 'policy'): Table {
  const asker = askerOf(catalog.blocks.claim, caller);
  // Rights of a policy are not asked in a session.
  const known = asker && { ...knownOf(asker), seesAll: door === 'policy' && asker.seesAll };
  const rows = accessibles(catalog).map((one): Row => {
    const { kind, name, right } = one;
    const granted = door === 'session' ? null : may(caller, right);
    const shown = known === undefined ? 'all' : rowsShown(one, known);
    const { masked, cleared } = valuesOf(one, shown, caller, known);
    return [kind, name, right, granted, shown, one.text, masked, cleared];
  });
  return { columns: accessColumns, rows };
}

/** The rows that a caller may see of its own table: without the right to read definitions those that are granted, and no condition. */
export function ownAccess(catalog: Catalog, caller: Caller): Table {
  const table = accessTable(catalog, caller, 'policy');
  if (may(caller, 'read:meta_*')) return table;
  const at = (wanted: string): number => accessColumns.findIndex(({ name }) => name === wanted);
  const [granted, condition] = [at('granted'), at('condition')];
  const rows = table.rows.filter((row) => row[granted] === true);
  return { ...table, rows: rows.map((row) => row.map((value, index) => (index === condition ? null : value))) };
}

/** All facts about a caller; values of types with one form are compared too. */
function knownOf(asker: Asker): CallerKnown {
  return {
    ...asker,
    literal: (part, type) => (isComparable(type) ? literalOf(asker.value(part)) : undefined),
  };
}

function isComparable(type: Type): boolean {
  const { kind } = type.kind === 'LIST' ? type.of : type;
  return kind === 'STRING' || kind === 'INT';
}

/** As a bound query has it: a list is its JSON text. */
function literalOf(value: Value): string | number | undefined {
  if (Array.isArray(value)) return JSON.stringify(value);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** The share of rows that roles and claims decide alone. */
export function rowsShown({ kind, condition }: Accessible, known: CallerKnown): Share {
  if (condition === undefined || (kind !== 'command' && known.seesAll)) return 'all';
  return shareOf((kind === 'command' ? certainRowsFor : rowsFor)(condition.condition, known));
}

function shareOf(rows: Rows): Share {
  return typeof rows === 'string' ? rows : 'some';
}

/** In the order of the table. */
export function accessibles(catalog: Catalog): readonly Accessible[] {
  const { aggregate, projection, decision, command } = catalog.blocks;
  const aggregates = sorted(aggregate);
  const projections = sorted(projection);
  const decided = new Map(decision.map((each) => [`${each.aggregate}.${each.command}`, each]));
  return [
    ...aggregates.map((block) => relation('state', block, `${block.name}$Agg`, block.state.columns)),
    ...aggregates.map((block) => relation('events', block, `${block.name}$Events`, block.eventColumns)),
    ...aggregates.map(({ clear: _, ...block }) =>
      relation('commands', block, `${block.name}$Commands`, commandColumns(catalog, block.name)),
    ),
    ...projections.map((block) => relation('projection', block, block.name, block.query.columns)),
    ...[...decided.keys()].sort().map((name): Accessible => {
      const allow = command.find((each) => each.name === decided.get(name)?.command)?.allow;
      const clause = { text: allow?.text ?? null, ...(allow && { condition: allow }) };
      return { kind: 'command', name, right: `execute:${name}`, columns: [], ...clause };
    }),
  ];
}

/** Names are safe identifiers, so comparing UTF-16 units compares code points. */
function sorted<B extends { readonly name: string }>(blocks: readonly B[]): readonly B[] {
  return [...blocks].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function relation(
  kind: Accessible['kind'],
  { visible, clear }: Pick<AggregateBlock | ProjectionBlock, 'visible' | 'clear'>,
  name: string,
  columns: readonly Column[],
): Accessible {
  return {
    ...{ kind, name, right: `read:${name}`, columns },
    text: visible === 'all' ? 'TO ALL' : (visible?.text ?? null),
    ...(visible !== undefined && visible !== 'all' && { condition: visible }),
    ...(clear && { clear }),
  };
}

type Values = Readonly<Record<'masked' | 'cleared', string | null>>;

/** The SENSITIVE columns that the caller never sees in the clear, and those that CLEAR may show in rows that it sees. */
function valuesOf(one: Accessible, shown: Share, caller: Caller, known: CallerKnown | undefined): Values {
  const names = isCleared(caller) ? '' : one.columns.flatMap(sensitiveNames).join(',');
  if (names === '') return { masked: null, cleared: null };
  const { clear } = one;
  const isClearable = shown !== 'none' && clear !== undefined && known !== undefined;
  const mayClear = isClearable && rowsFor(clear.condition, known) !== 'none';
  return mayClear ? { masked: null, cleared: names } : { masked: names, cleared: null };
}

/** The column itself, or the leaves of it that are SENSITIVE. */
function sensitiveNames({ name, type, sensitive, hidden }: Column): readonly string[] {
  if (hidden === true) return [];
  if (type.kind !== 'STRUCT') return sensitive ? [name] : [];
  return type.fields.flatMap((field) => (sensitive || field.sensitive === true ? [`${name}.${field.name}`] : []));
}
