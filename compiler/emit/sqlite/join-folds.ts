/**
 * Folds over the same events and with the same key are one table, so that an event changes one row and not one for each
 * of them: the state of an aggregate and the projections by its streams, for example.
 */
import type { Catalog } from '../../../language/catalog/catalog.ts';
import { foldOf, type Fold, type FoldSlot } from '../../../language/plan/fold.ts';
import { mayFail } from '../../../language/sqlite/call.ts';
import type { FoldTable, ViewDefinition } from '../../../language/sqlite/read-model.ts';
import type { LookedUp } from '../../plan/visible-lookup.ts';
import { createBlockMemory } from '../memory/block-memory.ts';
import { printFoldScan, printFoldTable, slotText } from './print-fold-table.ts';

/** A fold, printed without regard to others. */
export interface PrintedFold {
  readonly fold: Fold;
  readonly scan: ViewDefinition;
  readonly table: FoldTable;
  /** A text that is equal for folds that may share a table. */
  readonly rows: string;
  /** By their texts. */
  readonly slots: ReadonlyMap<string, FoldSlot>;
}

/** A reader of one of the folds reads rows of them all, and a change of one builds them all again. */
const mostSlots = 16;

export function printFold(catalog: Catalog, fold: Fold): PrintedFold {
  const { id, aggregate, key, where } = fold;
  const table = printFoldTable(catalog, fold);
  // Where an event cannot be merged the table is given up.
  const isAlone = [...table.row, table.where ?? ''].some(mayFail);
  return {
    fold,
    scan: printFoldScan(catalog, fold),
    table,
    rows: isAlone ? id : JSON.stringify([aggregate, key, where]),
    slots: new Map(fold.slots.map((slot) => [slotText(slot), slot])),
  };
}

/** The tables of all these folds, with indexes for the columns that are looked up. */
export function joinFolds(
  catalog: Catalog,
  folds: readonly PrintedFold[],
  lookedUp: readonly LookedUp[] = [],
): readonly FoldTable[] {
  const groups: Group[] = [];
  const last = new Map<string, Group>();
  for (const fold of folds) {
    const known = last.get(fold.rows);
    const slots = new Map([...(known?.slots ?? []), ...fold.slots]);
    if (known !== undefined && slots.size <= mostSlots) {
      known.members.push(fold);
      known.slots = slots;
      continue;
    }
    const begun = { members: [fold], slots: fold.slots };
    groups.push(begun);
    last.set(fold.rows, begun);
  }
  return groups.map((group) => {
    const table = tableOf(catalog, group);
    const indexes = indexesOf(group, lookedUp);
    return indexes.length === 0 ? table : { ...table, indexes };
  });
}

/** Columns of the table, sorted. The first part of a key has an index already. */
function indexesOf({ members, slots }: Group, lookedUp: readonly LookedUp[]): readonly string[] {
  const own = lookedUp.filter(({ fold, at }) => at !== 'k0' && members.some((member) => member.fold.id === fold.id));
  if (own.length === 0) return [];
  const texts = [...slots.keys()];
  const columns = own.map(({ fold, at }) => {
    const slot = at.startsWith('s') ? fold.slots[Number(at.slice(1))] : undefined;
    return slot === undefined ? at : `s${texts.indexOf(slotText(slot))}`;
  });
  return [...new Set(columns)].sort();
}

interface Group {
  readonly members: PrintedFold[];
  slots: ReadonlyMap<string, FoldSlot>;
}

const memory = createBlockMemory<FoldTable, PrintedFold>();

function tableOf(catalog: Catalog, { members, slots }: Group): FoldTable {
  const [first, second] = members;
  if (first === undefined) throw new Error('a table of no fold');
  if (second === undefined) return first.table;
  return memory(members, '', () => {
    const { aggregate, key, where } = first.fold;
    const joined = foldOf({ aggregate, key, ...(where === undefined ? {} : { where }), slots: [...slots.values()] });
    return printFoldTable(
      catalog,
      joined,
      members.map(({ fold }) => fold),
    );
  });
}
