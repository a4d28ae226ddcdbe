import type { IToken, TokenType } from '../chevrotain.ts';
import { vocabulary } from '../tokens/vocabulary.ts';
import { lookaheadTable } from './lookahead-table.ts';
import { Grammar } from './statements.ts';
import type { GrammarParts } from './words.ts';

/** The alternative of a choice that the next token begins; undefined if none does. */
export type ChooseAlternative = (this: PreparedGrammar, alternatives: readonly Alternative[]) => number | undefined;

/** Whether an optional part, or the first element of a list, begins with the next token. */
export type IsPresent = (this: PreparedGrammar) => boolean;

/** What an alternative or an optional part begins with. */
export interface First {
  readonly types: readonly TokenType[];
  /** An alternative may be empty; it is the last one. */
  readonly orNothing: boolean;
}

interface Alternative {
  readonly GATE?: () => boolean;
}

/** The parts of a chevrotain parser that its own analysis fills in. They are not public; the version of chevrotain is pinned. */
interface Analysed {
  selfAnalysisDone: boolean;
  readonly fullRuleNameToShort: Readonly<Record<string, number>>;
  readonly setLaFuncCache: (key: number, decide: ChooseAlternative | IsPresent) => void;
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

/**
 * A parser that knows from a table which token decides which choice. chevrotain finds that out by running every rule and following all of its
 * paths, in every process: a fifth of the time of a short script. The rules are analysed only once a text is refused, for the message.
 */
export class PreparedGrammar extends Grammar {
  readonly #analysed: () => Grammar;

  /** `analysed` gives the same rules with chevrotain's own analysis. */
  constructor(analysed: () => Grammar, parts?: Partial<GrammarParts>) {
    super(false, parts);
    this.#analysed = analysed;
  }

  override getGAstProductions(): ReturnType<Grammar['getGAstProductions']> {
    return this.#analysed().getGAstProductions();
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
    const parser = this as unknown as Analysed;
    const typesByName = new Map(vocabulary.map((type) => [type.name, type]));
    const firstOf = (text: string): First => {
      const names = text.split(' ');
      return { types: names.flatMap((name) => typesByName.get(name) ?? []), orNothing: names.includes('*') };
    };
    for (const line of lookaheadTable.split('\n')) {
      const [choice = '', first = ''] = line.split(': ');
      const [rule = '', kind = '', occurrence] = choice.split(' ');
      const key = (parser.fullRuleNameToShort[rule] ?? 0) | ((kindNumbers[kind] ?? 0) << 8) | Number(occurrence);
      const decide =
        kind === 'OR' ? this.createChoose(first.split(' | ').map(firstOf)) : this.createIsPresent(firstOf(first));
      parser.setLaFuncCache(key, decide);
    }
    parser.selfAnalysisDone = true;
  }
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
