import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { SourceFile } from '../../../language/source/source-file.ts';
import type { Span } from '../../../language/source/span.ts';
import type { Expression } from '../ast.ts';
import type { Cst } from '../grammar/cst.ts';
import type { Token } from '../tokens/token.ts';

/** The inputs of building a tree, besides the concrete tree. */
export interface BuildContext {
  readonly file: SourceFile;
  /** Makes a span in the parsed text; inside an expansion with its APPLY. */
  readonly spanAt: (start: number, end: number) => Span;
  readonly report: Report;
  /** The doc comments above tokens, by the start of the token. */
  readonly docs: ReadonlyMap<number, string>;
  /** The literal that `:name` is read as, where a text comes with values for its parameters. */
  readonly literalOf?: ((name: string, span: Span) => Expression | undefined) | undefined;
}

/** The place of a whole rule. */
export function spanOf(context: BuildContext, cst: Cst<string>): Span {
  return context.spanAt(cst.location.startOffset, cst.location.endOffset + 1);
}

/** The place of a token. */
export function spanOfToken(context: BuildContext, token: Token): Span {
  return context.spanAt(token.startOffset, token.endOffset + 1);
}

/** The doc comment of what begins at `start`, as a part of its node. */
export function docAt({ docs }: BuildContext, start: number): { readonly doc?: string } {
  const doc = docs.get(start);
  return doc === undefined ? {} : { doc };
}

/** The first child that a rule always reads, as the grammar ensures. */
export function first<T>(children: readonly T[]): T {
  return children[0] as T; // the grammar has read at least one
}

/** The second child of a rule that reads two. */
export function second<T>(children: readonly T[]): T {
  return children[1] as T; // the grammar has read two
}

/** Tokens of several kinds, in the order of the text. */
export function inOrder(...groups: readonly (readonly Token[] | undefined)[]): readonly Token[] {
  return groups.flatMap((group) => group ?? []).sort((a, b) => a.startOffset - b.startOffset);
}
