import { LLkLookaheadStrategy, type ILookaheadStrategy } from '../chevrotain.ts';

type Alternation = Parameters<ILookaheadStrategy['buildLookaheadForAlternation']>[0];
type Optional = Parameters<ILookaheadStrategy['buildLookaheadForOptional']>[0];
type ChooseAlternative = ReturnType<ILookaheadStrategy['buildLookaheadForAlternation']>;
type IsPresent = ReturnType<ILookaheadStrategy['buildLookaheadForOptional']>;

/**
 * Looks ahead as chevrotain does, but computes the alternatives of a choice on its first use: most texts use few choices of the grammar,
 * and computing all of them took a third of the time until the first statement was parsed.
 */
export function createLazyLookahead(maxLookahead: number): ILookaheadStrategy {
  const eager = new LLkLookaheadStrategy({ maxLookahead });
  return {
    validate: (options) => eager.validate(options),
    buildLookaheadForAlternation: (options: Alternation): ChooseAlternative => {
      let choose: ChooseAlternative | undefined;
      return function (this: unknown, alternatives) {
        choose ??= eager.buildLookaheadForAlternation(options);
        return choose.call(this, alternatives);
      };
    },
    buildLookaheadForOptional: (options: Optional): IsPresent => {
      let isPresent: IsPresent | undefined;
      return function (this: unknown) {
        isPresent ??= eager.buildLookaheadForOptional(options);
        return isPresent.call(this);
      };
    },
  };
}
