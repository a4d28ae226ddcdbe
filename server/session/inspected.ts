/** The steps that every INSPECT has in common: by which definitions it is bound, and where and when it reads (docs/language.md#inspections). */
import type { BindScope, Bound, CandidateSchema, Registry, SourceFile } from '../../compiler/index.ts';
import { fail } from '../../language/failure/failure.ts';
import type { Moment } from '../../runtime/store/journal/moment.ts';
import { tryOn } from '../place/candidate.ts';
import { endOf } from '../place/open-place.ts';
import { atMoment, inPlaceOf } from './as-of.ts';
import type { StatementContext } from './context.ts';
import { withBound } from './evaluate.ts';
import type { StatementResult } from './outcome.ts';
import { errorOf } from './problems.ts';
import { bindScope } from './scope.ts';

/** Binds an inspection by the definitions that it names, and continues in a context whose `Reg` is the place that it reads. */
export async function inspectWith<B extends object>(
  context: StatementContext,
  schema: CandidateSchema | undefined,
  bind: (registry: Registry, scope: BindScope) => Bound<B>,
  inspect: (context: StatementContext, bound: B) => Promise<StatementResult>,
): Promise<StatementResult> {
  const { engine, reg, loader, progress } = context;
  // The record goes into the session's own log; the inspected store may be read-only.
  if (engine.readOnly) throw fail('R0109', { what: 'recording an inspection' });
  let tried = context;
  if (schema !== undefined) {
    await progress('compiling the candidate');
    const { place, diagnostics } = await tryOn(reg, fileOf(context, schema), { loader });
    if (place === undefined) return errorOf(diagnostics);
    for (const diagnostic of diagnostics) context.warn(diagnostic);
    tried = { ...context, reg: place };
  }
  return withBound(tried, bind(tried.reg.registry(), bindScope(tried)), (bound) =>
    // Each recorded command has a moment of its own.
    'each' in bound ? inspect(tried, bound) : thenOrNow(tried, (at) => inspect(at, bound)),
  );
}

/** A candidate reads the present as it reads the past, apart from the live read model. */
async function thenOrNow(
  context: StatementContext,
  inspect: (context: StatementContext) => Promise<StatementResult>,
): Promise<StatementResult> {
  const { asOf, reg } = context;
  const then = (moment: Moment): Promise<StatementResult> => inPlaceOf(context, reg, { moment }, inspect);
  if (asOf !== undefined) return atMoment(context, asOf, reg, then);
  return reg.isLive ? inspect(context) : then(await endOf(reg, context.clock()));
}

/** The instant of an inspection, µs since 1970. */
export function instantOf({ reg, clock }: StatementContext): bigint {
  return reg.moment?.at ?? clock();
}

function fileOf({ readSchema }: StatementContext, { from, value }: CandidateSchema): SourceFile {
  if (from === 'text') return { name: 'WITH SCHEMA', text: value };
  if (readSchema === undefined)
    throw fail('R0511', { path: value, problem: 'this session has no files; give the text' });
  return { name: value, text: readSchema(value) };
}
