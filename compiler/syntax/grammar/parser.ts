import { PreparedGrammar } from './prepared-grammar.ts';
import { Grammar } from './statements.ts';

let parser: Grammar | undefined;

/** The only parser, built on first use. */
export function grammar(): Grammar {
  return (parser ??= new PreparedGrammar());
}

/** Builds the parser now, so that the first text does not wait for it. */
export function prepareParser(): void {
  grammar();
}

/** A parser that has analysed and checked its own grammar, as chevrotain does; throws when it is ambiguous or broken. For tests. */
export function createValidatedGrammar(): Grammar {
  return new Grammar(true);
}
