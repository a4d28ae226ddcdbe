import type { Block, BlockOf, EventBlock } from '../../../language/catalog/block.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { BlockKind } from '../../../language/catalog/block-kind.ts';
import type { BlockStatement } from '../../syntax/ast.ts';
import type { StoredHistory } from './registry.ts';

/** What came of looking for a block. `faulty`: it exists, but has errors that are reported where it stands. */
export type Found<B extends Block> =
  | { readonly status: 'found'; readonly block: B }
  | { readonly status: 'unknown' }
  | { readonly status: 'faulty'; readonly name: string }
  /** The block is being checked right now, further up: names from it down to here and back to it. */
  | { readonly status: 'cycle'; readonly path: readonly string[] };

/** The blocks around the one that is checked. Every question is recorded, so that a later change knows what to recheck. */
export interface Environment {
  readonly history: StoredHistory;
  readonly lenientPayload: boolean;
  /** The blocks were accepted before: where a limit was not there then, it is a warning. */
  readonly accepted: boolean;
  /** Some of the blocks stand further down and may be at fault; then what they would add is passed over. */
  readonly tolerant: boolean;
  /** By exact name, failing that by case-insensitive name. */
  readonly find: <K extends BlockKind>(kind: K, name: string) => Found<BlockOf<K>>;
  readonly names: (kind: BlockKind) => readonly string[];
  /** Names, as decisions or the stored history write them, of the events that can land in an aggregate. */
  readonly landings: (aggregate: string) => readonly string[];
  /** False where a decision is at fault, so that more may land than `landings` tells, in any aggregate. */
  readonly landingsKnown: () => boolean;
  /** The decisions of a command, in order of creation. */
  readonly deciders: (command: string) => readonly string[];
  /** For messages only, so nothing is recorded. */
  readonly tree: (kind: BlockKind, name: string) => BlockStatement | undefined;
  /** What a block that was created waits for, if it does: then it cannot be used yet. */
  readonly waitsFor?: (kind: BlockKind, name: string) => readonly string[] | undefined;
  /** A decision of the command that was created and waits. */
  readonly waitingDecider?: (command: string) => string | undefined;
  /** The version that an event of this definition gets. */
  readonly eventVersion: (event: string, text: string) => number;
  /** The definition that the event has before the change, where that is known; one of a script may not be in force yet. */
  readonly eventBefore: (event: string) => EventBlock | undefined;
}

/** What the check of one block gets. */
export interface BlockContext {
  readonly environment: Environment;
  readonly report: Report;
  /** Canonical print of the definition. */
  readonly text: string;
  /** `kind:name` of every block found through the environment so far, sorted. */
  readonly references: () => readonly string[];
}
