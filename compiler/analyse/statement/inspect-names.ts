import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Name, RelationName } from '../../syntax/ast.ts';
import { reportUnknownBlock } from '../name/unknown-block.ts';
import { checkSafeName } from '../name/name-rules.ts';
import type { Environment } from '../environment/environment.ts';

/** FROM a table of the session: it is stored with the results, under its name. */
export function checkSource({ schema, name }: RelationName, report: Report): void {
  if (schema === undefined) checkSafeName(name, 'the table that an inspection reads', report);
}

/** INTO names a table of the session, which is stored under that name. */
export function sessionTarget(target: RelationName, report: Report): string | undefined {
  if (target.schema === undefined) {
    checkSafeName(target.name, 'the target of an inspection', report);
    return target.name.text;
  }
  report(diagnose('E0909', target.span, { name: `${target.schema.text}.${target.name.text}` }));
  return undefined;
}

/** `USING EVENTSTORE s` must name an existing store; the statement is bound against the registry of that store. */
export function checkInspectStore(store: Name | undefined, environment: Environment, report: Report): void {
  if (store !== undefined && environment.find('eventstore', store.text).status !== 'found')
    reportUnknownBlock('eventstore', store, environment, report);
}
