import { Grammar } from './statements.ts';

let parser: Grammar | undefined;

/** The one parser, built when first asked for. */
export function grammar(): Grammar {
  return (parser ??= new Grammar(false));
}

/** Builds the parser now, for whoever has the time before the first text comes. */
export function prepareParser(): void {
  grammar();
}

/** A parser that has checked its own grammar; throws when the grammar is ambiguous or broken. For tests. */
export function createValidatedGrammar(): Grammar {
  return new Grammar(true);
}
