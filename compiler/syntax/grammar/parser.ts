import { PreparedGrammar } from './prepared-grammar.ts';
import { Grammar } from './statements.ts';

let parser: Grammar | undefined;
let analysed: Grammar | undefined;

/** The only parser, built on first use. */
export function grammar(): Grammar {
  return (parser ??= new PreparedGrammar(analysedGrammar));
}

/** The rules as chevrotain analyses them; they say what a refused text could have gone on with. */
export function analysedGrammar(): Grammar {
  return (analysed ??= new Grammar(false));
}

/** Builds the parser now, so that the first text does not wait for it. */
export function prepareParser(): void {
  grammar();
}

/** A parser that has checked its own grammar; throws when the grammar is ambiguous or broken. For tests. */
export function createValidatedGrammar(): Grammar {
  return new Grammar(true);
}
