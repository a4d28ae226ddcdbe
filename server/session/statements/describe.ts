import {
  bindCaller,
  explainAsOf,
  explainQuery,
  exportRegistry,
  placeFindings,
  type Describe,
  type DescribeAll,
  type Explain,
  type WrittenCaller,
} from '../../../compiler/index.ts';
import { accessTable } from '../../operation/access/access.ts';
import { bind } from '../../operation/bind/bind.ts';
import {
  describe,
  describeAll,
  explain,
  findingsTable,
  textTable,
  type DescribedFrom,
} from '../../operation/describe/describe.ts';
import { registryAt } from '../../place/registry-at.ts';
import { atMoment, onePlace } from '../as-of.ts';
import { sessionCaller, type StatementContext } from '../context.ts';
import { withBound } from '../evaluate.ts';
import type { StatementResult } from '../outcome.ts';
import { bindScope } from '../scope.ts';

export async function runDescribe(context: StatementContext, statement: Describe): Promise<StatementResult> {
  return { kind: 'describe', table: await describe(context.reg.registry(), statement, describedFrom(context)) };
}

export async function runDescribeAll(context: StatementContext, statement: DescribeAll): Promise<StatementResult> {
  return { kind: 'describe', table: await describeAll(context.reg.registry(), statement, describedFrom(context)) };
}

/** Progress of subscriptions and reactions is that of the session's own store, as far as this process knows it. */
function describedFrom({ inspections, live, own, reg, standings }: StatementContext): DescribedFrom {
  return {
    inspections,
    standing: async (relation, name) => {
      if (own !== reg) return undefined;
      await live.adopt();
      return (await standings(relation, (each) => each === name)).get(name);
    },
  };
}

export function runValidate(context: StatementContext): Promise<StatementResult> {
  return Promise.resolve({ kind: 'validate', table: findingsTable(placeFindings(context.reg.registry())) });
}

export async function runExport(context: StatementContext): Promise<StatementResult> {
  const { asOf, reg } = context;
  if (asOf === undefined) return { kind: 'export', text: exportRegistry(reg.registry().catalog) };
  return atMoment(context, asOf, reg, async (moment) => {
    const { catalog } = await registryAt(reg.engine.store, moment);
    return { kind: 'export', text: exportRegistry(catalog) };
  });
}

/** The table of a caller that is written, or else of the one that is set. */
async function explainAccess(context: StatementContext, written: WrittenCaller | undefined): Promise<StatementResult> {
  const registry = context.reg.registry();
  const table = (caller: StatementContext['caller']): Promise<StatementResult> =>
    Promise.resolve({
      kind: 'explain',
      table: accessTable(registry.catalog, sessionCaller({ caller }), 'session'),
    });
  if (written === undefined) return table(context.caller);
  return withBound(context, bindCaller(registry, written, bindScope(context)), table);
}

export async function runExplain(context: StatementContext, { target }: Explain): Promise<StatementResult> {
  const registry = context.reg.registry();
  const { catalog } = registry;
  if (target.type === 'access') return explainAccess(context, target.caller);
  if (target.type !== 'query') return { kind: 'explain', table: explain(catalog, target) };
  const { asOf } = context;
  return withBound(context, bind(registry, target.query, bindScope(context)), async (query) => {
    if (asOf === undefined) return { kind: 'explain', table: textTable(explainQuery(query, catalog)) };
    return atMoment(context, asOf, onePlace(context, query), ({ position }) =>
      Promise.resolve({ kind: 'explain', table: textTable(explainAsOf(query, catalog, position)) }),
    );
  });
}
