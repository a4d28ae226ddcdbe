import type { Block, BlockOf, EventBlock } from '../../../language/catalog/block.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { BlockKind } from '../../../language/contract/block-kind.ts';
import type { BlockStatement } from '../../syntax/ast.ts';
import type { StoredHistory } from './registry.ts';
import type { RecordUse } from './symbol-use.ts';

/** The result of a search for a block. `faulty`: it exists, but has errors that are reported at its definition. */
export type Found<B extends Block> =
  | { readonly status: 'found'; readonly block: B }
  | { readonly status: 'unknown' }
  | { readonly status: 'faulty'; readonly name: string }
  /** The block is being checked right now, further up the stack: names from it down to here and back to it. */
  | { readonly status: 'cycle'; readonly path: readonly string[] };

/** The blocks around the one that is checked. Every question is recorded, so that a later change knows which blocks to check again. */
export interface Environment {
  /** Receives the target of each name; absent if no caller needs it. */
  readonly recordUse?: RecordUse;
  readonly history: StoredHistory;
  readonly lenientPayload: boolean;
  /** The blocks were accepted before: a limit that did not exist then is a warning. */
  readonly accepted: boolean;
  /** Some of the blocks come later in the text and may have errors; their contributions are then skipped. */
  readonly tolerant: boolean;
  /** By exact name, otherwise by case-insensitive name. */
  readonly find: <K extends BlockKind>(kind: K, name: string) => Found<BlockOf<K>>;
  readonly names: (kind: BlockKind) => readonly string[];
  /** Names of the events of an aggregate, as decisions or the stored history write them. */
  readonly landings: (aggregate: string) => readonly string[];
  /** The events whose UPCAST FROM EVENT clauses read events stored under that name, in order of creation. */
  readonly readersOf: (event: string) => readonly string[];
  /** False if a decision has errors, so that any aggregate may have more events than `landings` gives. */
  readonly landingsKnown: () => boolean;
  /** The decisions of a command, in order of creation. */
  readonly deciders: (command: string) => readonly string[];
  /** For messages only, so nothing is recorded. */
  readonly tree: (kind: BlockKind, name: string) => BlockStatement | undefined;
  /** The blocks that a created block waits for, if it waits: it cannot be used until then. */
  readonly waitsFor?: (kind: BlockKind, name: string) => readonly string[] | undefined;
  /** A created decision of the command that waits. */
  readonly waitingDecider?: (command: string) => string | undefined;
  /** The version that an event of this definition gets. */
  readonly eventVersion: (event: string, text: string) => number;
  /** The definition of the event before the change, if known; one of a script may not be in force yet. */
  readonly eventBefore: (event: string) => EventBlock | undefined;
}

/** The inputs of the check of one block. */
export interface BlockContext {
  readonly environment: Environment;
  readonly report: Report;
  /** Canonical print of the definition. */
  readonly text: string;
  /** `kind:name` of every block found through the environment so far, sorted. */
  readonly references: () => readonly string[];
}
