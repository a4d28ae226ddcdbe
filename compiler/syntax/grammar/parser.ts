import { Grammar } from './statements.ts';

let parser: Grammar | undefined;

/** The one parser, built when first asked for. */
export function grammar(): Grammar {
  return (parser ??= new Grammar(false));
}

/** A parser that has checked its own grammar; throws when the grammar is ambiguous or broken. For tests. */
export function createValidatedGrammar(): Grammar {
  return new Grammar(true);
}
