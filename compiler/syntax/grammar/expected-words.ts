/**
 * Finds the words that may come after the tokens of an unfinished statement, for completion: the parser reads them and a mark behind them,
 * and each question that it asks about the mark is noted. So the answer is that of the grammar itself, and costs as much as parsing.
 */
import { createToken, Lexer, type TokenType } from '../chevrotain.ts';
import { keywordType } from '../tokens/vocabulary.ts';
import { createTokenAt, type Token } from '../tokens/token.ts';
import { errorMessages } from './error-messages.ts';
import { PreparedGrammar, type ChooseAlternative, type First, type IsPresent } from './prepared-grammar.ts';

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
  const parser = (assistant ??= createAssistant());
  const { expected } = parser;
  const at = (tokens.at(-1)?.endOffset ?? -1) + 1;
  const mark = createTokenAt(Mark, '', at, at);
  expected.clear();
  parser.input = [...tokens, mark];
  parser.statement();
  const [error] = parser.errors;
  if (error === undefined || error.token !== mark) return undefined;
  const words = Array.from(expected, ({ name }) => name).filter((name) => keywordType(name) !== undefined);
  return {
    words: new Set(words),
    tokens: new Set(Array.from(expected, ({ name }) => name).filter((name) => keywordType(name) === undefined)),
    rules: error.context.ruleStack,
  };
}

/** Collects what each choice at the mark could begin with. */
class MarkedGrammar extends PreparedGrammar {
  readonly expected = new Set<TokenType>();

  protected override createChoose(first: readonly First[]): ChooseAlternative {
    const choose = super.createChoose(first);
    return (alternatives) => {
      for (const each of first) this.collect(each);
      return choose.call(this, alternatives);
    };
  }

  protected override createIsPresent(first: First): IsPresent {
    const isPresent = super.createIsPresent(first);
    return () => {
      this.collect(first);
      return isPresent.call(this);
    };
  }

  private collect({ types }: First): void {
    if (this.next().tokenType !== Mark) return;
    for (const type of types) this.expected.add(type);
  }
}

let assistant: MarkedGrammar | undefined;

function createAssistant(): MarkedGrammar {
  const parser: MarkedGrammar = new MarkedGrammar({
    errorMessageProvider: {
      ...errorMessages,
      buildMismatchTokenMessage: (options) => {
        if (options.actual.tokenType === Mark) parser.expected.add(options.expected);
        return errorMessages.buildMismatchTokenMessage(options);
      },
    },
  });
  return parser;
}
