/** The names of a decision's folds in generated code: descriptive ones. A number is added only when two names clash. */
import type { TypedExpression } from '../language/catalog/expression.ts';
import { someExpression } from '../language/catalog/map-expression.ts';
import type { Fold, FoldLookup, FoldSlot } from '../language/plan/fold.ts';
import type { SlotNames } from './fold-slot.ts';
import { capital, createMemberScope, localName, typeIdentifier, type NameScope } from './identifiers.ts';

/** A fold, which several lookups may share. */
export interface NamedFold {
  readonly fold: Fold;
  /** `Subscription` */
  readonly base: string;
  /** `SubscriptionFold`, `SubscriptionEvent`. */
  readonly stateType: string;
  readonly eventType: string;
  /** `keyOfSubscriptionEvent`, `initialSubscription`, `evolveSubscription`, `subscriptionFold`. */
  readonly keyOfEvent: string;
  readonly initial: string;
  readonly evolve: string;
  readonly definition: string;
  readonly slots: readonly SlotNames[];
}

export interface NamedLookup {
  readonly lookup: FoldLookup;
  readonly fold: NamedFold;
  /** The local variable with the found state: `subscription`. */
  readonly found: string;
  /** `keyOfSubscription`: the key that the command requests. */
  readonly key: string;
}

/** `types` and `values` are the names of the module at its top. */
export function nameLookups(
  lookups: readonly FoldLookup[],
  types: NameScope,
  values: NameScope,
): readonly NamedLookup[] {
  const bases = createMemberScope();
  const folds = new Map<string, NamedFold>();
  const named: NamedLookup[] = [];
  for (const lookup of lookups) {
    const { id } = lookup.fold;
    const fold = folds.get(id) ?? nameFold(lookup, bases, types, values);
    folds.set(id, fold);
    const isShared = lookups.filter((other) => other.fold.id === id).length > 1;
    const given = isShared ? givenNames(lookup.key, named) : '';
    const found = values.take(localName(given === '' ? fold.base : `${fold.base}By${given}`));
    named.push({ lookup, fold, found, key: values.take(`keyOf${capital(found)}`) });
  }
  return named;
}

function nameFold({ fold, slotNames }: FoldLookup, bases: NameScope, types: NameScope, values: NameScope): NamedFold {
  const members = createMemberScope();
  const names = fold.slots.map((slot, index) => members.take(propertyName(slotNames[index]) ?? derivedName(slot)));
  const slots = fold.slots.map((slot, index): SlotNames => {
    const name = names[index] ?? 'value';
    return slot.function === 'AVG' ? { name, count: members.take(`${name}Count`) } : { name };
  });
  const about = foldName(fold);
  const [first] = names;
  const base = bases.take(about, ...(first === undefined ? [] : [`${about}${capital(first)}`]));
  return {
    fold,
    base,
    stateType: types.take(`${base}Fold`),
    eventType: types.take(`${base}Event`, `${base}EventRow`),
    keyOfEvent: values.take(`keyOf${base}Event`),
    initial: values.take(`initial${base}`),
    evolve: values.take(`evolve${base}`),
    definition: values.take(`${localName(base)}Fold`),
    slots,
  };
}

/** `Subscription` by stream, `SubscriptionByCustomer` by another column, `AllSubscription` without a key. */
function foldName({ aggregate, key }: Fold): string {
  if (key.length === 0) return `All${aggregate}`;
  if (key.length === 1 && isStreamId(key[0])) return aggregate;
  const parts = key.map((part) => (part.kind === 'column' ? capital(columnName(part.column) ?? 'key') : 'Key'));
  return `${aggregate}By${parts.join('And')}`;
}

export function isStreamId(part: TypedExpression | undefined): boolean {
  return part?.kind === 'column' && (part.column === 'stream_id' || part.column === 'aggregate_id');
}

/** The origins of a key's values: fields of the command, and results of earlier lookups. */
function givenNames(key: readonly TypedExpression[], earlier: readonly NamedLookup[]): string {
  const names = new Set<string>();
  for (const part of key) {
    someExpression(part, (piece) => {
      if (piece.kind === 'argument') names.add(capital(propertyName(piece.name) ?? 'key'));
      if (piece.kind === 'column') {
        const { fold, found } = earlier[piece.relation] ?? {};
        names.add(capital(`${found ?? ''}${capital(fold?.slots[Number(piece.column.slice(1))]?.name ?? '')}`));
      }
      return false;
    });
  }
  return [...names].join('And');
}

const verbs: Readonly<Record<FoldSlot['function'], string>> = {
  LAST: 'last',
  FIRST: 'first',
  MIN: 'least',
  MAX: 'greatest',
  COUNT: 'count',
  SUM: 'sum',
  AVG: 'average',
};

/** `lastStation`, `count`: for a slot that no column shows. */
function derivedName({ function: name, argument }: FoldSlot): string {
  if (argument === undefined) return 'events';
  let column: string | undefined;
  someExpression(argument, (part) => {
    if (part.kind === 'column') column ??= columnName(part.column);
    return column !== undefined;
  });
  return `${verbs[name]}${column === undefined ? '' : capital(column)}`;
}

function columnName(column: string): string | undefined {
  return propertyName(column.replace(/^data\./, ''));
}

/** `last_event` → `lastEvent`; none for a text that gives no identifier. */
function propertyName(text: string | undefined): string | undefined {
  if (text === undefined || !/^[A-Za-z0-9_]{1,63}$/.test(text)) return undefined;
  const [first = '', ...rest] = text.split('_').filter((word) => word !== '');
  if (!/^[A-Za-z]/.test(first)) return undefined;
  const start = /^[A-Z0-9]+$/.test(first) ? first.toLowerCase() : localName(first);
  return `${start}${rest.map(capital).join('')}`;
}

/** The locals of one function: results of lookups, then the values of their slots. */
export function slotLocals(
  lookups: readonly NamedLookup[],
  read: readonly { readonly lookup: number; readonly slot: number }[],
): (lookup: number, slot: number) => string {
  const names = new Map<string, string>();
  const used = new Set<string>(['command', 'context', 'folds', 'sql', ...lookups.map(({ found }) => found)]);
  for (const { lookup, slot } of read) {
    const { fold, found } = lookups[lookup] ?? {};
    const own = fold?.slots[slot]?.name ?? 'value';
    const name = [own, `${found ?? ''}${capital(own)}`].map(typeIdentifier).find((each) => !used.has(each));
    let local = name ?? typeIdentifier(own);
    for (let number = 2; used.has(local); number++) local = `${own}${number}`;
    used.add(local);
    names.set(`${lookup} ${slot}`, local);
  }
  return (lookup, slot) => names.get(`${lookup} ${slot}`) ?? 'undefined';
}
