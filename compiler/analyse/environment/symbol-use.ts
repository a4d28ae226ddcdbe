import type { BlockKind } from '../../../language/contract/block-kind.ts';
import type { Span } from '../../../language/source/span.ts';

/**
 * A name that text can refer to: a block, or a part of one as the block calls it. Parts are fields of commands and events, columns of `$Agg`,
 * of projections and of a decision's STATE, parameters of templates, and `data.<field>` of an aggregate's events, which is a field of each event that has it.
 */
export interface SymbolTarget {
  readonly kind: BlockKind;
  readonly name: string;
  readonly part?: string;
}

/** A place in the text that refers to a symbol. */
export interface SymbolUse {
  /** The name as written, without quotes; in a relation like `"Account$Agg"` only the block's name. */
  readonly span: Span;
  readonly target: SymbolTarget;
}

/** Receives each use as it is bound. Absent if no caller needs it, so a use then only costs a comparison. */
export type RecordUse = (span: Span, target: SymbolTarget) => void;
