import type { Span } from '../../../language/source/span.ts';

/** The common properties of all nodes: their kind, and their place in the text. */
export interface NodeBase<K extends string> {
  readonly kind: K;
  readonly span: Span;
}

/** A name as written: `text` is without quotes and with `""` undone; a bare keyword used as a name is kept in its written case. */
export interface Name extends NodeBase<'Name'> {
  readonly text: string;
  readonly quoted: boolean;
}

/** A type as written: `name` upper-cased if it is a word for a type of the language (`VARCHAR`), else as written: an enum, or unknown; with its numbers. */
export interface TypeName extends NodeBase<'TypeName'> {
  readonly name: string;
  readonly arguments: readonly number[];
  /** `STRING[]`. */
  readonly isList?: true;
}
