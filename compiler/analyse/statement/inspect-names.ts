import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Name, RelationName } from '../../syntax/ast.ts';
import { reportUnknownBlock } from '../block/check-decision.ts';
import type { Environment } from '../environment.ts';

/** INTO names a table of the session. */
export function sessionTarget(target: RelationName, report: Report): string | undefined {
  if (target.schema === undefined) return target.name.text;
  report(diagnose('E0909', target.span, { name: `${target.schema.text}.${target.name.text}` }));
  return undefined;
}

/** `USING EVENTSTORE s` names a store there is; the statement is bound against the registry that is read there. */
export function checkInspectStore(store: Name | undefined, environment: Environment, report: Report): void {
  if (store !== undefined && environment.find('eventstore', store.text).status !== 'found')
    reportUnknownBlock('eventstore', store, environment, report);
}
