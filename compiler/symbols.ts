/**
 * Names and their targets, for an editor: go to definition, find references, rename. Takes the uses that the checks recorded, and the
 * trees. The target of a name at one place is read from the statement there alone, so that a question directly after an edit is answered at
 * once.
 */
import type { SymbolTarget, SymbolUse } from './analyse/environment/symbol-use.ts';
import type { AggregateBlock, EventBlock } from '../language/catalog/block.ts';
import { blockKey, type BlockKey } from '../language/contract/block-kind.ts';
import { withoutQuotes, type Span } from '../language/source/span.ts';
import {
  namePlace,
  symbolKey,
  symbolParts,
  type NamePlace,
  type SymbolPart,
  type SymbolSources,
} from './symbol-parts.ts';

export interface Symbols {
  /** The name at a place of a file, as a use or as a declaration; the shortest if several cover it. Offsets are UTF-16 units. */
  readonly at: (file: string, offset: number) => SymbolUse | undefined;
  /** Its declarations: none for names that every registry has, several for a payload field that several events have. */
  readonly definitions: (target: SymbolTarget) => readonly Span[];
  /** Every other place that refers to it. A span with `applied` is in the body of a template. */
  readonly references: (target: SymbolTarget) => readonly Span[];
  /** The blocks that read an event: its fields, or its name compared with `event_type`. */
  readonly readersOf: (event: string) => readonly string[];
  /** Adds uses in more places: in comments of scripts. */
  readonly withUses: (uses: readonly SymbolUse[]) => Symbols;
  /** Finds the names of all statements, which the first question for references would else do. */
  readonly collect: () => void;
}

export function createSymbols(sources: SymbolSources, more: readonly SymbolUse[] = []): Symbols {
  const { entries, placed } = sources;
  const parts = once(() => symbolParts(sources));
  const known = once(() => knownBlocks(sources));
  const blocks = once(() => new Set(entries.map(({ key }) => key)));
  const moreUses = once(() =>
    more.filter(({ target: { kind, name } }) => blocks().has(blockKey(kind, name))).map(namePlace),
  );
  const exists = ({ ifEvent }: NamePlace): boolean => ifEvent === undefined || known().eventNames.has(ifEvent);
  const inPlace = ({ span, target }: SymbolUse): SymbolUse => ({ span: withoutQuotes(placed(span)), target });
  const meanings = once(() => createMeanings(known()));

  const placesOf = (target: SymbolTarget, all: readonly NamePlace[]): readonly Span[] => {
    const wanted = new Set(meanings()(namePlace({ span: nowhere, target })));
    const found = all.filter((each) => meanings()(each).some((key) => wanted.has(key)) && exists(each));
    return eachOnce(found.map(inPlace)).map(({ span }) => span);
  };
  return {
    at: (file, offset) => {
      const covers = ({ span }: { readonly span: Span }): boolean =>
        span.file.name === file && span.start <= offset && offset <= span.end;
      const near = parts().filter(({ ranges }) => ranges.some((range) => covers({ span: placed(range) })));
      return [...near.flatMap(({ uses }) => uses()), ...moreUses(), ...near.flatMap(({ declarations }) => declarations)]
        .map((each) => ({ ...each, ...inPlace(each) }))
        .filter((each) => covers(each) && exists(each))
        .sort((a, b) => lengthOf(a.span) - lengthOf(b.span))
        .map(({ span, target }) => ({ span, target }))[0];
    },
    definitions: (target) =>
      placesOf(
        target,
        parts().flatMap(({ declarations }) => declarations),
      ),
    references: (target) => placesOf(target, [...parts().flatMap(({ uses }) => uses()), ...moreUses()]),
    readersOf: (event) => {
      const read = readKeys(event, known());
      const reads = ({ uses }: SymbolPart): boolean =>
        uses().some((use) => use.ifEvent === event || (use.target.kind === 'aggregate' && read(meanings()(use))));
      return parts().flatMap((part) => (part.entry !== undefined && reads(part) ? [part.entry.name] : []));
    },
    withUses: (uses) => createSymbols(sources, [...more, ...uses]),
    collect: () => parts().forEach(({ uses }) => uses()),
  };
}

/** Made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const nowhere: Span = { file: { name: '', text: '' }, start: 0, end: 0 };

interface Known {
  readonly aggregates: ReadonlyMap<string, AggregateBlock>;
  readonly events: ReadonlyMap<string, EventBlock>;
  /** Also of those with errors. */
  readonly eventNames: ReadonlySet<string>;
}

function knownBlocks({ registry, entries }: SymbolSources): Known {
  const events = entries.flatMap(({ checked }) => (checked?.block?.kind === 'event' ? [checked.block] : []));
  return {
    aggregates: new Map(registry.catalog.blocks.aggregate.map((block) => [block.name, block])),
    events: new Map(events.map((block) => [block.name, block])),
    eventNames: new Set(entries.flatMap(({ kind, name }) => (kind === 'event' ? [name] : []))),
  };
}

/** Whether one of these is a field of the event. */
function readKeys(event: string, { events }: Known): (keys: readonly BlockKey[]) => boolean {
  const fields = events.get(event)?.fields ?? [];
  const keys = new Set(fields.map(({ name }) => symbolKey({ kind: 'event', name: event, part: name })));
  return (all) => all.some((key) => keys.has(key));
}

/** A payload field of an aggregate is a field of each event that has it; without declared fields, so is a column of its state. */
function createMeanings({ aggregates, events }: Known): (place: NamePlace) => readonly BlockKey[] {
  const known = new Map<BlockKey, readonly BlockKey[]>();
  return ({ key, target: { kind, name, part } }) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const block = kind === 'aggregate' ? aggregates.get(name) : undefined;
    const found = block === undefined || part === undefined ? [key] : meaningsOfColumn(block, part, events);
    known.set(key, found);
    return found;
  };
}

function meaningsOfColumn(
  { kind, name, fields, events }: AggregateBlock,
  part: string,
  known: Known['events'],
): readonly BlockKey[] {
  if (fields.some((field) => sameName(field.name, part))) return [symbolKey({ kind, name, part })];
  const field = part.startsWith('data.') ? part.slice('data.'.length) : part;
  return events.flatMap((event): BlockKey[] =>
    known.get(event)?.fields.some((one) => sameName(one.name, field)) === true
      ? [symbolKey({ kind: 'event', name: event, part: field })]
      : [],
  );
}

/** A query may be bound more than once to find its types. */
function eachOnce(uses: readonly SymbolUse[]): readonly SymbolUse[] {
  return Array.from(
    new Map(
      uses.map((use) => {
        const { file, start, end, applied } = use.span;
        return [`${file.name}\0${start}\0${end}\0${applied?.start ?? ''}\0${symbolKey(use.target)}`, use] as const;
      }),
    ).values(),
  );
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}
