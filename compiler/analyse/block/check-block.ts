import type { Block } from '../../../language/catalog/block.ts';
import type { BlockStatement } from '../../syntax/ast.ts';
import type { BlockContext } from '../environment/environment.ts';
import { checkBlockName } from '../name/name-rules.ts';
import { checkAggregate } from './check-aggregate.ts';
import { checkClaim } from './check-claim.ts';
import { checkCommand } from './check-command.ts';
import { checkDecision } from './check-decision.ts';
import { checkEnum } from './check-enum.ts';
import { checkEvent } from './check-event.ts';
import { checkEventStore } from './check-event-store.ts';
import { checkFunction } from './check-function.ts';
import { checkProjection } from './check-projection.ts';
import { checkReaction } from './check-reaction.ts';
import { checkTemplate } from './check-template.ts';
import { checkSubscription } from '../subscription/check-subscription.ts';
import { kindOf } from './kind-of.ts';

/** Resolves and types one block; undefined, or reports, if it has errors. */
export function checkBlock(tree: BlockStatement, context: BlockContext): Block | undefined {
  checkBlockName(tree.name, kindOf(tree), context.report);
  const check: (tree: never, context: BlockContext) => Block | undefined = checks[tree.kind];
  return check(tree as never, context); // the check of its own kind
}

const checks: {
  readonly [S in BlockStatement['kind']]: (
    tree: Extract<BlockStatement, { readonly kind: S }>,
    context: BlockContext,
  ) => Block | undefined;
} = {
  CreateAggregate: checkAggregate,
  CreateCommand: checkCommand,
  CreateEvent: checkEvent,
  CreateDecision: checkDecision,
  CreateProjection: checkProjection,
  CreateEventStore: checkEventStore,
  CreateTemplate: checkTemplate,
  CreateEnum: checkEnum,
  CreateClaim: checkClaim,
  CreateFunction: checkFunction,
  CreateSubscription: checkSubscription,
  CreateReaction: checkReaction,
};
