/**
 * The trees behind a registry: its blocks, each with the outcome and the dependencies of its check, so that a change checks again exactly
 * the blocks that depend on it. Everything here is immutable; a change makes a new workspace that shares all untouched entries with the old
 * one.
 */
import type { Block, BlockDocs, RowClauses } from '../../../language/catalog/block.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { BlockKey, BlockKind } from '../../../language/contract/block-kind.ts';
import type { TemplateStamp } from '../../../language/catalog/template-stamp.ts';
import type { BlockStatement } from '../../syntax/ast.ts';
import type { StoredHistory } from '../environment/registry.ts';
import type { SymbolUse } from '../environment/symbol-use.ts';

/**
 * The possible dependencies of a check: a block; the events that decisions emit into an aggregate (`landing:`); the decisions of a command
 * (`decides:`); the events that read those stored under another name (`renames:`). Names are in lower case.
 */
export type AskKey = BlockKey | `landing:${string}` | `decides:${string}` | 'renames:';

export interface Entry {
  readonly kind: BlockKind;
  readonly name: string;
  readonly key: BlockKey;
  /** Canonical print without OR REPLACE. */
  readonly text: string;
  readonly stamp?: TemplateStamp;
  readonly docs?: BlockDocs;
  /** Parsed from `text` on first use, if the registry was opened from a catalog. */
  readonly tree: () => BlockStatement;
  readonly checked?: Checked;
}

export interface Checked {
  /** Absent when the block has errors of its own. */
  readonly block?: Block;
  readonly diagnostics: readonly Diagnostic[];
  readonly asks: ReadonlySet<AskKey>;
  /** Dependencies on blocks that do not exist. */
  readonly missing: ReadonlySet<BlockKey>;
  /** Targets of its names, if the check was asked for them. */
  readonly uses?: readonly SymbolUse[];
  /** The two checks that it is made of, if the block has VISIBLE or CLEAR. */
  readonly parts?: { readonly definition: Checked; readonly clauses: CheckedClauses };
}

/** The check of VISIBLE and CLEAR, which is made after those of all definitions: it reads nothing else of them. */
export interface CheckedClauses extends Omit<Checked, 'block' | 'parts'> {
  /** Absent when they have errors. */
  readonly clauses?: RowClauses;
}

export interface Workspace {
  /** In order of creation. All of these compile together. */
  readonly entries: ReadonlyMap<BlockKey, Entry>;
  /** Created, but naming blocks that are created later; they are in no catalog yet. */
  readonly waiting: ReadonlyMap<BlockKey, Entry>;
  /** The last view that included forward blocks, so that the next one checks only what differs. */
  readonly forward?: ReadonlyMap<BlockKey, Entry>;
  /** In a workspace of files: the history that its entries were compared with. */
  readonly history?: StoredHistory;
}

/** The entry as if it had never been checked. */
export function uncheckedEntry({ checked: _checked, ...entry }: Entry): Entry {
  return entry;
}

export const emptyWorkspace: Workspace = { entries: new Map(), waiting: new Map() };

export function landingKey(aggregate: string): AskKey {
  return `landing:${aggregate.toLowerCase()}`;
}
export function decidesKey(command: string): AskKey {
  return `decides:${command.toLowerCase()}`;
}

/** An event that a decision can emit into an aggregate, both as the decision writes them. */
export interface Emission {
  readonly aggregate: string;
  readonly event: string;
}

/** Facts of a decision that others need before it is checked: its command, and the aggregates of its events. */
export interface DecisionOutline {
  readonly command: string;
  readonly emissions: readonly Emission[];
}

const outlines = new WeakMap<Entry, DecisionOutline>();

/** The outline of a decision's entry; from its typed block if there is one, so that nothing is parsed for it. */
export function decisionOutline(entry: Entry): DecisionOutline {
  const known = outlines.get(entry);
  if (known !== undefined) return known;
  const outline = readOutline(entry);
  outlines.set(entry, outline);
  return outline;
}

function readOutline(entry: Entry): DecisionOutline {
  const block = entry.checked?.block;
  if (block?.kind === 'decision') {
    return { command: block.command, emissions: block.branches.flatMap((branch) => branch.emits) };
  }
  const tree = entry.tree();
  if (tree.kind !== 'CreateDecision') return { command: '', emissions: [] };
  const emits = tree.branches.flatMap((branch) => branch.emits);
  return {
    command: tree.command.text,
    emissions: emits.map((emit) => ({
      aggregate: (emit.to?.aggregate ?? tree.aggregate).text,
      event: emit.event.text,
    })),
  };
}

/** The names under which the events were stored that an event's entry reads by UPCAST FROM EVENT; most entries have none and are not parsed. */
export function renamedIn(entry: Entry): readonly string[] {
  if (entry.kind !== 'event' || !entry.text.includes('UPCAST FROM EVENT ')) return [];
  const tree = entry.tree();
  return tree.kind === 'CreateEvent' ? tree.upcasts.flatMap(({ event }) => event?.text ?? []) : [];
}

/** All dependencies of other checks that this entry can satisfy. */
export function answersOf(entry: Entry): readonly AskKey[] {
  if (renamedIn(entry).length > 0) return [entry.key, 'renames:'];
  if (entry.kind !== 'decision') return [entry.key];
  const outline = decisionOutline(entry);
  const aggregates = new Set(outline.emissions.map((emission) => landingKey(emission.aggregate)));
  return [entry.key, decidesKey(outline.command), ...aggregates];
}
