/**
 * Checks the entries of one version of a registry, on demand and each at most once. A previously checked entry is
 * checked again only when something it depends on has changed: the blocks it depends on are checked first, and if
 * none of their outcomes is different, its old outcome stays valid.
 *
 * VISIBLE and CLEAR are checked once nothing else is under way. They read definitions, and no definition reads them, so
 * relations may name each other in a circle there.
 */
import type { Block, BlockOf, EventBlock } from '../../../language/catalog/block.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { LostBlocks } from '../../syntax/grammar/lost-blocks.ts';
import { checkBlock } from '../block/check-block.ts';
import { clausesOf, rowClausesOf, withClauses } from '../block/row-clauses.ts';
import type { BlockContext, Environment, Found } from '../environment/environment.ts';
import { historyIndex } from '../environment/history-index.ts';
import { readingOrder } from './reading-order.ts';
import { noHistory, type StoredHistory } from '../environment/registry.ts';
import type { SymbolUse } from '../environment/symbol-use.ts';
import { type BlockKey, blockKey, type BlockKind } from '../../../language/contract/block-kind.ts';
import {
  answersOf,
  decidesKey,
  decisionOutline,
  landingKey,
  renamedIn,
  type AskKey,
  type Checked,
  type CheckedClauses,
  type Entry,
} from './workspace.ts';

export interface CheckerInput {
  readonly entries: ReadonlyMap<BlockKey, Entry>;
  /** The differences from the version in which the entries were checked. */
  readonly changed: ReadonlySet<AskKey>;
  readonly history: StoredHistory;
  readonly lenientPayload: boolean;
  /** The blocks were accepted before; see `RegistryChange`. */
  readonly accepted?: boolean;
  /** Events before the change, for their versions. */
  readonly before: ReadonlyMap<BlockKey, Entry>;
  /** Some entries come later in a script and may have errors; their contributions are then skipped. */
  readonly tolerant?: boolean;
  /** The contributions of text with errors. */
  readonly lost?: LostBlocks;
  /** Records what each name refers to; a check that was made without that is made again. */
  readonly recordUses?: boolean;
}

export interface BlockChecker {
  /** The entry with a `checked` that is valid in this version. */
  readonly ensureChecked: (key: BlockKey) => CheckOutcome | undefined;
  /** The outcome of a check that is already done. */
  readonly checked: (key: BlockKey) => CheckOutcome | undefined;
}

export interface CheckOutcome {
  readonly entry: Entry;
  /** Whether its block is different from before, apart from its clauses: no other check depends on those. */
  readonly different: boolean;
}

export function createBlockChecker(input: CheckerInput): BlockChecker {
  const done = new Map<BlockKey, CheckOutcome>();
  const underWay: Entry[] = [];
  /** Entries whose dependencies are being checked; a circle returns to one of these. */
  const preparing = new Set<BlockKey>();
  /** Entries whose definition is checked, and whose clauses are not. */
  const unfinished = new Set<Entry>();
  let isFinishing = false;
  const index = createIndex(input);

  function ensureChecked(key: BlockKey): CheckOutcome | undefined {
    const outcome = ensureDefinition(key);
    if (unfinished.size === 0 || isFinishing || underWay.length > 0 || preparing.size > 0) return outcome;
    isFinishing = true;
    // A set that is added to while it is gone through.
    for (const entry of unfinished) finish(entry);
    unfinished.clear();
    isFinishing = false;
    return done.get(key) ?? outcome;
  }

  /** Checks a block without its clauses. */
  function ensureDefinition(key: BlockKey): CheckOutcome | undefined {
    const known = done.get(key);
    if (known !== undefined) return known;
    const entry = input.entries.get(key);
    if (entry === undefined) return undefined;
    if (underWay.some((other) => other.key === key)) return { entry, different: false };
    if (!preparing.has(key)) {
      preparing.add(key);
      for (const read of readingOrder(entry, input.entries, isChecked)) ensureChecked(read);
      preparing.delete(key);
      // An entry in a circle was checked when the circle was found; a second check would not see the circle.
      const reached = done.get(key);
      if (reached !== undefined) return reached;
    }
    underWay.push(entry);
    const old = entry.checked?.parts?.definition ?? entry.checked;
    const checked = old !== undefined && stillHolds(entry, old) ? old : keepSame(old, check(entry));
    underWay.pop();
    const outcome = {
      entry: checked === entry.checked ? entry : { ...entry, checked },
      different: checked !== old && checked.block !== old?.block,
    };
    done.set(key, outcome);
    if (hasClauses(entry)) unfinished.add(entry);
    return outcome;
  }

  function finish(entry: Entry): void {
    const outcome = done.get(entry.key);
    const definition = outcome?.entry.checked;
    if (outcome === undefined || definition === undefined) return;
    const { checked: before } = entry;
    const old = before?.parts;
    const held = old?.definition.block === definition.block ? old?.clauses : undefined;
    const clauses = held !== undefined && stillHolds(entry, held) ? held : checkClauses(entry, definition);
    const isSame = old?.definition === definition && old.clauses === clauses;
    const checked = isSame && before !== undefined ? before : keepSame(before, whole(definition, clauses));
    done.set(entry.key, { ...outcome, entry: checked === before ? entry : { ...entry, checked } });
  }

  function isChecked(key: BlockKey): boolean {
    return done.has(key) || preparing.has(key) || underWay.some((other) => other.key === key);
  }

  function stillHolds(entry: Entry, checked: Checked | CheckedClauses): boolean {
    if (input.changed.has(entry.key) || (input.recordUses === true && checked.uses === undefined)) return false;
    for (const ask of checked.asks) if (input.changed.has(ask)) return false;
    for (const ask of checked.asks) {
      if (!isBlockKey(ask) || ask === entry.key) continue;
      if (ensureChecked(ask)?.different === true) return false;
    }
    return true;
  }

  function check(entry: Entry): Checked {
    const { found, isClean, ...facts } = look((context) => checkBlock(entry.tree(), { ...context, text: entry.text }));
    return { ...(found !== undefined && isClean ? { block: stamped(found, entry) } : {}), ...facts };
  }

  function checkClauses(entry: Entry, { block }: Checked): CheckedClauses {
    if (block?.kind !== 'aggregate' && block?.kind !== 'projection')
      return { diagnostics: [], asks: new Set(), missing: new Set() };
    const { found, isClean, ...facts } = look((context) => rowClausesOf(clausesOf(entry.tree()), block, context));
    return { ...(isClean ? { clauses: found } : {}), ...facts };
  }

  /** Makes a check, and records its questions. */
  function look<T>(bind: (context: Omit<BlockContext, 'text'>) => T): Looked<T> {
    const asks = new Set<AskKey>();
    const missing = new Set<BlockKey>();
    const references = new Set<string>();
    const diagnostics: Diagnostic[] = [];
    // Errors of a faulty block are reported at that block; nothing that depends on it is complete.
    const rests = { onFaulty: false };
    const uses: SymbolUse[] | undefined = input.recordUses === true ? [] : undefined;
    const environment: Environment = {
      ...(uses !== undefined && { recordUse: (span, target) => uses.push({ span, target }) }),
      history: input.history,
      lenientPayload: input.lenientPayload,
      accepted: input.accepted === true,
      tolerant: input.tolerant === true,
      find: <K extends BlockKind>(kind: K, name: string): Found<BlockOf<K>> => {
        const key = blockKey(kind, name);
        asks.add(key);
        const at = underWay.findIndex((other) => other.key === key);
        if (at >= 0) return { status: 'cycle', path: circle(underWay.slice(at)) };
        // Dependencies are  up to date first, so only a long circle gets this deep.
        if (underWay.length >= deepestCircle && !done.has(key)) return { status: 'cycle', path: circle(underWay) };
        const found = ensureChecked(key)?.entry;
        if (found === undefined && index.isLost(key)) {
          rests.onFaulty = true;
          return { status: 'faulty', name };
        }
        if (found === undefined) {
          missing.add(key);
          return { status: 'unknown' };
        }
        references.add(`${kind}:${found.name}`);
        const { block } = found.checked?.parts?.definition ?? found.checked ?? {};
        const passedOver = input.tolerant === true && kind === 'event';
        if (block === undefined && !passedOver) rests.onFaulty = true;
        // The key begins with the kind, so the block found under it has that kind.
        return block === undefined
          ? { status: 'faulty', name: found.name }
          : { status: 'found', block: block as BlockOf<K> };
      },
      names: (kind) => index.names(kind),
      landings: (aggregate) => {
        asks.add(landingKey(aggregate));
        asks.add('renames:');
        return index.landings(aggregate);
      },
      readersOf: (event) => {
        asks.add('renames:');
        return index.readersOf(event);
      },
      landingsKnown: () => {
        const known = index.landingsKnown();
        if (!known) rests.onFaulty = true;
        return known;
      },
      deciders: (command) => {
        asks.add(decidesKey(command));
        return index.deciders(command);
      },
      tree: (kind, name) => input.entries.get(blockKey(kind, name))?.tree(),
      eventVersion: (event, text) => index.eventVersion(event, text),
      eventBefore: (event) => index.eventBefore(event),
    };
    const found = bind({
      environment,
      report: (diagnostic) => diagnostics.push(diagnostic),
      references: () => Array.from(references).sort(),
    });
    const isClean = !rests.onFaulty && !diagnostics.some((diagnostic) => diagnostic.severity === 'error');
    return { found, isClean, diagnostics, asks, missing, ...(uses && { uses }) };
  }

  return { ensureChecked, checked: (key) => done.get(key) };
}

/** The outcome of a check, and its questions. */
interface Looked<T> extends Omit<Checked, 'block' | 'parts'> {
  readonly found: T;
  /** Without errors, and resting on no block with errors. */
  readonly isClean: boolean;
}

function hasClauses({ kind, checked, tree }: Entry): boolean {
  if (kind !== 'aggregate' && kind !== 'projection') return false;
  if (checked !== undefined) return checked.parts !== undefined;
  const { visible, clear } = clausesOf(tree());
  return visible !== undefined || clear !== undefined;
}

function whole(definition: Checked, clauses: CheckedClauses): Checked {
  const { block } = definition;
  const uses = definition.uses === undefined ? undefined : [...definition.uses, ...(clauses.uses ?? [])];
  return {
    ...(block !== undefined && clauses.clauses !== undefined ? { block: withClauses(block, clauses.clauses) } : {}),
    diagnostics: [...definition.diagnostics, ...clauses.diagnostics],
    asks: new Set([...definition.asks, ...clauses.asks]),
    missing: new Set([...definition.missing, ...clauses.missing]),
    ...(uses && { uses }),
    parts: { definition, clauses },
  };
}

const deepestCircle = 100;

/** The names around a circle and back to the first; the beginning and the end of a long one. */
function circle(entries: readonly Entry[]): readonly string[] {
  const names = entries.map((entry) => entry.name);
  const shown = names.length <= 12 ? names : [...names.slice(0, 6), '…', ...names.slice(-5)];
  return [...shown, names[0] ?? ''];
}

/** The block with the facts that no check looks at: the template that made it, and its doc comments. */
function stamped(block: Block, { stamp, docs }: Entry): Block {
  if (stamp === undefined && docs === undefined) return block;
  return { ...block, ...(stamp === undefined ? {} : { stamp }), ...(docs === undefined ? {} : { docs }) };
}

export function isBlockKey(ask: AskKey): ask is BlockKey {
  return !ask.startsWith('landing:') && !ask.startsWith('decides:') && ask !== 'renames:';
}

/** An unchanged block stays the same object, so that comparisons of catalogs need not look into it. */
function keepSame(old: Checked | undefined, checked: Checked): Checked {
  if (old?.block === undefined || checked.block === undefined) return checked;
  return JSON.stringify(old.block) === JSON.stringify(checked.block) ? { ...checked, block: old.block } : checked;
}

/** Maximum number of times that a checker lists names for suggestions. */
const namesAsked = 300;

interface Index {
  readonly names: (kind: BlockKind) => readonly string[];
  readonly landings: (aggregate: string) => readonly string[];
  readonly readersOf: (event: string) => readonly string[];
  readonly landingsKnown: () => boolean;
  readonly isLost: (key: BlockKey) => boolean;
  readonly deciders: (command: string) => readonly string[];
  readonly eventVersion: (event: string, text: string) => number;
  readonly eventBefore: (event: string) => EventBlock | undefined;
}

/** The answers across all entries; each table is made when it is first needed. */
function createIndex(input: CheckerInput): Index {
  let landings: Map<string, Set<string>> | undefined;
  let deciders: Map<string, Set<string>> | undefined;
  let readers: Map<string, Set<string>> | undefined;
  const lost = new Set((input.lost?.named ?? []).map(({ kind, name }) => blockKey(kind, name)));
  const lostAny = input.lost?.others === true;
  let landingsKnown = !lostAny && input.lost?.named.some(({ kind }) => kind === 'decision') !== true;
  const names = new Map<BlockKind, readonly string[]>();
  let asked = 0;

  function eventBefore(event: string): EventBlock | undefined {
    const block = input.before.get(blockKey('event', event))?.checked?.block;
    return block?.kind === 'event' ? block : undefined;
  }

  function readersOf(event: string): readonly string[] {
    if (readers === undefined) {
      readers = new Map();
      for (const entry of input.entries.values())
        for (const old of renamedIn(entry)) addTo(readers, old.toLowerCase(), entry.name);
    }
    return Array.from(readers.get(event.toLowerCase()) ?? []);
  }

  function readDecisions(): void {
    landings = new Map();
    deciders = new Map();
    for (const entry of input.entries.values()) {
      if (entry.kind !== 'decision') continue;
      const outline = decisionOutline(entry);
      addTo(deciders, outline.command.toLowerCase(), entry.name);
      for (const { aggregate, event } of outline.emissions) {
        addTo(landings, aggregate.toLowerCase(), event);
        if (!input.entries.has(blockKey('aggregate', aggregate))) landingsKnown = false;
      }
    }
  }

  return {
    names: (kind) => {
      // At most 100 errors are reported, so thousands of searches for the nearest name would be useless.
      if (++asked > namesAsked) return [];
      const known =
        names.get(kind) ??
        Array.from(input.entries.values()).flatMap((entry) => (entry.kind === kind ? [entry.name] : []));
      names.set(kind, known);
      return known;
    },
    landings: (aggregate) => {
      if (landings === undefined) readDecisions();
      const decided = landings?.get(aggregate.toLowerCase()) ?? [];
      const stored = historyIndex(input.history).landedIn(aggregate);
      return Array.from(new Set([...stored, ...stored.flatMap(readersOf), ...decided]));
    },
    readersOf,
    landingsKnown: () => {
      if (landings === undefined) readDecisions();
      return landingsKnown;
    },
    isLost: (key) => lostAny || lost.has(key),
    deciders: (command) => {
      if (deciders === undefined) readDecisions();
      return Array.from(deciders?.get(command.toLowerCase()) ?? []);
    },
    eventBefore,
    eventVersion: (event, text) => {
      const current = eventBefore(event);
      if (current !== undefined && current.text === text) return current.version;
      const stored = historyIndex(input.history).latestOf(event);
      if (stored.text === text) return stored.version;
      // The log counts the definitions that came into force; one that another replaces before that gets no number.
      return (input.history === noHistory ? (current?.version ?? 0) : stored.version) + 1;
    },
  };
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}

/** Keys that differ between two versions of an entry; either may be absent. */
export function changedAnswers(before: Entry | undefined, after: Entry | undefined): readonly AskKey[] {
  return [...(before === undefined ? [] : answersOf(before)), ...(after === undefined ? [] : answersOf(after))];
}
