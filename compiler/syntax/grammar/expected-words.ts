/**
 * What may come after the tokens of an unfinished statement, for completion: the parser reads them and a mark behind them, and each question
 * that it asks about the mark is noted. So the answer is that of the grammar itself, and costs as much as parsing.
 */
import {
  Alternation,
  createToken,
  Lexer,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  Terminal,
  type ILookaheadStrategy,
  type IProduction,
  type TokenType,
} from '../chevrotain.ts';
import { keywordType } from '../tokens/vocabulary.ts';
import { createTokenAt, type Token } from '../tokens/token.ts';
import { errorMessages } from './error-messages.ts';
import { createLazyLookahead } from './lazy-lookahead.ts';
import { Grammar } from './statements.ts';

export interface ExpectedWords {
  /** Keywords, in upper case. */
  readonly words: ReadonlySet<string>;
  /** Tokens that are no keywords, by the names of their types: `Name`, `LParen`, … */
  readonly tokens: ReadonlySet<string>;
  /** The rules of the grammar that are open at the place, outermost first. */
  readonly rules: readonly string[];
}

const Mark = createToken({ name: 'Mark', pattern: Lexer.NA });

/** Undefined if the tokens themselves are no beginning of a statement. They must be classified. */
export function expectedAfter(tokens: readonly Token[]): ExpectedWords | undefined {
  const { parser, noted } = (assistant ??= createAssistant());
  const at = (tokens.at(-1)?.endOffset ?? -1) + 1;
  const mark = createTokenAt(Mark, '', at, at);
  noted.clear();
  parser.input = [...tokens, mark];
  parser.statement();
  const [error] = parser.errors;
  if (error === undefined || error.token !== mark) return undefined;
  const words = Array.from(noted, ({ name }) => name).filter((name) => keywordType(name) !== undefined);
  return {
    words: new Set(words),
    tokens: new Set(Array.from(noted, ({ name }) => name).filter((name) => keywordType(name) === undefined)),
    rules: error.context.ruleStack,
  };
}

class MarkedGrammar extends Grammar {
  isAtMark(): boolean {
    return this.LA(1).tokenType === Mark;
  }
}

interface Assistant {
  readonly parser: Grammar;
  readonly noted: Set<TokenType>;
}

let assistant: Assistant | undefined;

function createAssistant(): Assistant {
  const noted = new Set<TokenType>();
  const messages: typeof errorMessages = {
    ...errorMessages,
    buildMismatchTokenMessage: (options) => {
      if (options.actual.tokenType === Mark) noted.add(options.expected);
      return errorMessages.buildMismatchTokenMessage(options);
    },
  };
  const parser: MarkedGrammar = new MarkedGrammar(false, {
    lookaheadStrategy: noting(createLazyLookahead(1), () => parser.isAtMark(), noted),
    errorMessageProvider: messages,
  });
  return { parser, noted };
}

/** Looks ahead as usual, and notes what each choice at the mark could begin with. */
function noting(usual: ILookaheadStrategy, isAtMark: () => boolean, noted: Set<TokenType>): ILookaheadStrategy {
  const note = (wanted: () => IProduction | undefined): (() => void) => {
    let first: readonly TokenType[] | undefined;
    return () => {
      if (!isAtMark()) return;
      first ??= firstOf([wanted()].flatMap((each) => each ?? []));
      for (const type of first) noted.add(type);
    };
  };
  return {
    validate: (options) => usual.validate(options),
    buildLookaheadForAlternation: (options) => {
      const choose = usual.buildLookaheadForAlternation(options);
      const noteChoice = note(() => findIn(options.rule.definition, options.prodOccurrence, Alternation));
      return function (this: unknown, alternatives) {
        noteChoice();
        return choose.call(this, alternatives);
      };
    },
    buildLookaheadForOptional: (options) => {
      const isPresent = usual.buildLookaheadForOptional(options);
      const noteOption = note(() =>
        findIn(options.rule.definition, options.prodOccurrence, optionals[options.prodType]),
      );
      return function (this: unknown) {
        noteOption();
        return isPresent.call(this);
      };
    },
  };
}

const optionals = {
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
};

type Class = new (...given: never[]) => IProduction;

function findIn(productions: readonly IProduction[], occurrence: number, wanted: Class): IProduction | undefined {
  for (const production of productions) {
    if (production instanceof wanted && (production as { readonly idx?: number }).idx === occurrence) return production;
    const found = production instanceof NonTerminal ? undefined : findIn(partsOf(production), occurrence, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

function partsOf(production: IProduction): readonly IProduction[] {
  return (production as { readonly definition?: readonly IProduction[] }).definition ?? [];
}

/** The tokens that a sequence can begin with. */
function firstOf(sequence: readonly IProduction[]): readonly TokenType[] {
  const types: TokenType[] = [];
  for (const production of sequence) {
    types.push(...beginningOf(production));
    const isOptional =
      production instanceof Option || production instanceof Repetition || production instanceof RepetitionWithSeparator;
    if (!isOptional) break;
  }
  return types;
}

function beginningOf(production: IProduction): readonly TokenType[] {
  if (production instanceof Terminal) return [production.terminalType];
  if (production instanceof NonTerminal) return firstOf(production.referencedRule.definition);
  if (production instanceof Alternation) return production.definition.flatMap((each) => firstOf(partsOf(each)));
  return firstOf(partsOf(production));
}
