import { LLkLookaheadStrategy, type ILookaheadStrategy } from '../chevrotain.ts';

type Alternation = Parameters<ILookaheadStrategy['buildLookaheadForAlternation']>[0];
type Optional = Parameters<ILookaheadStrategy['buildLookaheadForOptional']>[0];
type ChooseAlternative = ReturnType<ILookaheadStrategy['buildLookaheadForAlternation']>;
type IsPresent = ReturnType<ILookaheadStrategy['buildLookaheadForOptional']>;

/**
 * Looks ahead as chevrotain does, but works out where a choice leads when it is first met: most texts meet few of the choices of the
 * grammar, and working all of them out took a third of the time until the first statement was read.
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
