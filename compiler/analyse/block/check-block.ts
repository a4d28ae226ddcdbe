import type { Block } from '../../../language/catalog/block.ts';
import type { BlockStatement } from '../../syntax/ast.ts';
import type { BlockContext } from '../incremental/environment.ts';
import { checkBlockName } from '../name/name-rules.ts';
import { checkAggregate } from './check-aggregate.ts';
import { checkCommand } from './check-command.ts';
import { checkDecision } from './check-decision.ts';
import { checkEvent } from './check-event.ts';
import { checkEventStore } from './check-event-store.ts';
import { checkProjection } from './check-projection.ts';
import { checkTemplate } from './check-template.ts';
import { kindOf } from './kind-of.ts';

/** Resolves and types one block; undefined, with reports, if it has errors. */
export function checkBlock(tree: BlockStatement, context: BlockContext): Block | undefined {
  checkBlockName(tree.name, kindOf(tree), context.report);
  switch (tree.kind) {
    case 'CreateAggregate':
      return checkAggregate(tree, context);
    case 'CreateCommand':
      return checkCommand(tree, context);
    case 'CreateEvent':
      return checkEvent(tree, context);
    case 'CreateDecision':
      return checkDecision(tree, context);
    case 'CreateProjection':
      return checkProjection(tree, context);
    case 'CreateEventStore':
      return checkEventStore(tree, context);
    case 'CreateTemplate':
      return checkTemplate(tree, context);
  }
}
