import type { Diagnostic, Span } from '../../compiler/index.ts';
import type { Outcome, Table } from '../../runtime/engine/outcome.ts';
import type { Reacted } from '../../runtime/engine/reactions.ts';

/** The outcome of one statement of a script, in the order of the statements (docs/tool.md#run---json). Values are masked. */
export type StatementOutcome = {
  /** From the statement's first token to its last. */
  readonly span: Span;
  readonly warnings: readonly Diagnostic[];
  /** Acts of reactions because of the statement; absent if there are none. */
  readonly reacted?: readonly Reacted[];
} & StatementResult;

export type StatementResult =
  | {
      readonly kind: 'create';
      readonly block: string;
      readonly name: string;
      readonly change: 'created' | 'replaced' | 'unchanged';
    }
  | { readonly kind: 'drop'; readonly block: string; readonly name: string }
  | {
      readonly kind: 'apply';
      readonly template: string;
      readonly created: readonly { readonly block: string; readonly name: string }[];
    }
  | { readonly kind: 'execute'; readonly outcome: Outcome }
  | {
      readonly kind: 'select' | 'describe' | 'validate' | 'explain';
      readonly table: Table;
      /** Position of the moment that a SELECT with AS OF shows. */
      readonly asOf?: number;
    }
  | {
      readonly kind: 'inspect';
      readonly into: string;
      readonly rows: number;
      readonly rejected: number;
      /** For a reaction: the number of commands that are due already. */
      readonly overdue?: number;
    }
  | { readonly kind: 'export'; readonly text: string }
  | {
      readonly kind: 'advance';
      /** Where the clock is now, µs since 1970. */
      readonly to: bigint;
      readonly reacted: readonly Reacted[];
    }
  /** The caller that is set: NULL for an anonymous one, absent after RESET CALLER. */
  | { readonly kind: 'caller'; readonly subject?: string | null }
  | ErrorResult;

export interface ErrorResult {
  readonly kind: 'error';
  /** At least one; the first is the statement's first in source order. */
  readonly problems: readonly Problem[];
}

/** A fault found while compiling the statement, or a failure while running it, with its place in the text. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly span: Span;
  readonly diagnostic?: Diagnostic;
}
