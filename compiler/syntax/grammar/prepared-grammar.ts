import {
  EarlyExitException,
  NoViableAltException,
  type IParserErrorMessageProvider,
  type IToken,
  type TokenType,
} from '../chevrotain.ts';
import { vocabulary } from '../tokens/vocabulary.ts';
import { lookaheadTable } from './lookahead-table.ts';
import { Grammar } from './statements.ts';
import type { GrammarParts } from './words.ts';

/** The alternative of a choice that the next token begins; undefined if none does. */
export type ChooseAlternative = (this: PreparedGrammar, alternatives: readonly Alternative[]) => number | undefined;

/** Whether an optional part, or the first element of a list, begins with the next token. */
export type IsPresent = (this: PreparedGrammar) => boolean;

/** The tokens with which an alternative or an optional part begins. */
export interface First {
  readonly types: readonly TokenType[];
  /** An alternative may be empty; it is the last one. */
  readonly orNothing: boolean;
}

interface Alternative {
  readonly GATE?: () => boolean;
}

/** The parts of a chevrotain parser that its own analysis fills in, or that use it. They are not public; the version of chevrotain is pinned. */
interface Internals {
  selfAnalysisDone: boolean;
  readonly fullRuleNameToShort: Readonly<Record<string, number>>;
  readonly setLaFuncCache: (key: number, decide: ChooseAlternative | IsPresent) => void;
  readonly getCurrRuleFullName: () => string;
  readonly errorMessageProvider: IParserErrorMessageProvider;
  /** Keeps the error with the rules that are open, and gives it back. */
  readonly SAVE_ERROR: (error: Error) => Error;
}

/** The number of each kind of choice in a key of chevrotain, above the eight bits of its occurrence. */
const kindNumbers: Readonly<Record<string, number>> = {
  OR: 1,
  OPTION: 2,
  MANY: 3,
  AT_LEAST_ONE: 4,
  MANY_SEP: 5,
  AT_LEAST_ONE_SEP: 6,
};

/** chevrotain's number of a list with separators that has an element at least, where it refuses one without. */
const mandatoryWithSeparator = 3;

/**
 * The tokens with which each choice can begin, by `<rule> <kind> <occurrence>`; an element for each alternative of an
 * OR, and one for any other.
 */
let firstsOfChoices: ReadonlyMap<string, readonly First[]> | undefined;

function readTable(): ReadonlyMap<string, readonly First[]> {
  const typesByName = new Map(vocabulary.map((type) => [type.name, type]));
  const firstOf = (text: string): First => {
    const names = text.split(' ');
    return { types: names.flatMap((name) => typesByName.get(name) ?? []), orNothing: names.includes('*') };
  };
  return new Map(
    lookaheadTable.split('\n').map((line) => {
      const [choice = '', firsts = ''] = line.split(': ');
      return [choice, firsts.split(' | ').map(firstOf)];
    }),
  );
}

/**
 * A parser that knows from a table which token decides which choice, and what was expected where a text is refused. chevrotain finds that out by
 * running every rule and following all of its paths, in every process: a fifth of the time of a short script.
 */
export class PreparedGrammar extends Grammar {
  constructor(parts?: Partial<GrammarParts>) {
    super(false, parts);
  }

  next(): IToken {
    return this.LA(1);
  }

  protected createChoose(first: readonly First[]): ChooseAlternative {
    let decide: ChooseAlternative | undefined;
    return function (alternatives) {
      decide ??= alternatives.some(({ GATE }) => GATE !== undefined) ? chooseGated(first) : chooseByToken(first);
      return decide.call(this, alternatives);
    };
  }

  protected createIsPresent(first: First): IsPresent {
    let begins: Uint8Array | undefined;
    return function () {
      begins ??= numbersOf([first]);
      return begins[this.next().tokenTypeIdx] === 1;
    };
  }

  protected override performSelfAnalysis(): void {
    const parser = this as unknown as Internals;
    firstsOfChoices ??= readTable();
    for (const [choice, firsts] of firstsOfChoices) {
      const [rule = '', kind = '', occurrence] = choice.split(' ');
      const key = (parser.fullRuleNameToShort[rule] ?? 0) | ((kindNumbers[kind] ?? 0) << 8) | Number(occurrence);
      const [only] = firsts;
      if (kind === 'OR') parser.setLaFuncCache(key, this.createChoose(firsts));
      else if (only !== undefined) parser.setLaFuncCache(key, this.createIsPresent(only));
    }
    parser.selfAnalysisDone = true;
  }

  /** In place of chevrotain's own, which asks its analysis what no alternative of an OR begins with. */
  protected raiseNoAltException(occurrence: number): never {
    this.#refuse('OR', occurrence, NoViableAltException, (messages, expectedPathsPerAlt, given) =>
      messages.buildNoViableAltMessage({ ...given, expectedPathsPerAlt }),
    );
  }

  /** In place of chevrotain's own, for a list that must have an element. */
  protected raiseEarlyExitException(occurrence: number, kind: number): never {
    const name = kind === mandatoryWithSeparator ? 'AT_LEAST_ONE_SEP' : 'AT_LEAST_ONE';
    this.#refuse(name, occurrence, EarlyExitException, (messages, [expectedIterationPaths = []], given) =>
      messages.buildEarlyExitMessage({ ...given, expectedIterationPaths }),
    );
  }

  #refuse(
    kind: string,
    occurrence: number,
    Refusal: typeof NoViableAltException | typeof EarlyExitException,
    messageOf: (messages: IParserErrorMessageProvider, expected: TokenType[][][], given: Refused) => string,
  ): never {
    const parser = this as unknown as Internals;
    const ruleName = parser.getCurrRuleFullName();
    const firsts = firstsOfChoices?.get(`${ruleName} ${kind} ${occurrence}`) ?? [];
    const expected = firsts.map(({ types }) => types.map((type) => [type]));
    const [actual, previous] = [this.LA(1), this.LA(0)];
    const given = { actual: [actual], previous, ruleName };
    throw parser.SAVE_ERROR(new Refusal(messageOf(parser.errorMessageProvider, expected, given), actual, previous));
  }
}

interface Refused {
  readonly actual: IToken[];
  readonly previous: IToken;
  readonly ruleName: string;
}

/** By the number of a token's type: one more than the index of the first of these that begins with it, and 0 for none. */
function numbersOf(all: readonly First[]): Uint8Array {
  const numbers = new Uint8Array(Math.max(...vocabulary.map(({ tokenTypeIdx = 0 }) => tokenTypeIdx)) + 1);
  for (const [index, { types }] of all.entries())
    for (const { tokenTypeIdx = 0, categoryMatches = [] } of types)
      for (const type of [tokenTypeIdx, ...categoryMatches]) numbers[type] ||= index + 1;
  return numbers;
}

function chooseByToken(first: readonly First[]): ChooseAlternative {
  const numbers = numbersOf(first);
  const empty = first.findIndex(({ orNothing }) => orNothing);
  const otherwise = empty < 0 ? undefined : empty;
  return function () {
    const number = numbers[this.next().tokenTypeIdx] ?? 0;
    return number === 0 ? otherwise : number - 1;
  };
}

function chooseGated(first: readonly First[]): ChooseAlternative {
  const begins = first.map((one) => numbersOf([one]));
  return function (alternatives) {
    const type = this.next().tokenTypeIdx;
    const chosen = first.findIndex(
      ({ orNothing }, index) =>
        (orNothing || begins[index]?.[type] === 1) && alternatives[index]?.GATE?.call(this) !== false,
    );
    return chosen < 0 ? undefined : chosen;
  };
}
