import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Name, RelationName } from '../../syntax/ast.ts';
import { reportUnknownBlock } from '../block/check-decision.ts';
import type { Environment } from '../environment.ts';
import type { ResolvedRelation } from '../query/resolve-relation.ts';

/** INTO names a table of the session. */
export function sessionTarget(target: RelationName, report: Report): string | undefined {
  if (target.schema === undefined) return target.name.text;
  report(diagnose('E0909', target.span, { name: `${target.schema.text}.${target.name.text}` }));
  return undefined;
}

/** `USING EVENTSTORE s`: the store that Reg means while the source is read. */
export function inspectStore(store: Name | undefined, environment: Environment, report: Report): string | undefined {
  if (store === undefined) return undefined;
  const found = environment.find('eventstore', store.text);
  if (found.status === 'found') return found.block.name;
  reportUnknownBlock('eventstore', store, environment, report);
  return undefined;
}

/** The source as it is read with `USING EVENTSTORE`: relations of the registry come from that store, the session's own do not. */
export function inStore(source: ResolvedRelation, store: string | undefined): ResolvedRelation {
  return store === undefined || source.source.kind === 'session' ? source : { ...source, store };
}
