/** WITH SCHEMA: a place whose definitions are those of a candidate, while its events are those of the store (docs/language.md#inspections). */
import type { CandidateSchema, SourceFile } from '../../compiler/index.ts';
import { fail } from '../../language/failure/failure.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Moment } from '../../runtime/store/past/moment.ts';
import type { Store } from '../../runtime/store/store.ts';
import { compileCandidate } from '../registry/candidate.ts';
import type { StatementContext } from './context.ts';
import type { StatementResult } from './outcome.ts';
import { errorOf } from './problems.ts';

/** Continues with the domain that the inspection uses, and a context whose `Reg` has its definitions. */
export async function withCandidate(
  context: StatementContext,
  schema: CandidateSchema | undefined,
  next: (context: StatementContext, candidate: Domain | undefined) => Promise<StatementResult>,
): Promise<StatementResult> {
  if (schema === undefined) return next(context, undefined);
  const { reg, loader, progress } = context;
  await progress('compiling the candidate');
  const { candidate, diagnostics } = await compileCandidate(fileOf(context, schema), {
    registry: reg.registry,
    store: reg.engine.store,
    loader,
  });
  if (candidate === undefined) return errorOf(diagnostics);
  for (const diagnostic of diagnostics) context.warn(diagnostic);
  return next({ ...context, reg: { ...reg, registry: candidate.registry } }, candidate.domain);
}

/** The end of a store as a moment: a candidate reads the present as it reads the past, apart from the live read model. */
export async function endOf(store: Store, now: bigint): Promise<Moment> {
  const { entry, event } = await store.freshPosition();
  return { entry, position: event, cut: false, at: now, final: true };
}

function fileOf({ readSchema }: StatementContext, { from, value }: CandidateSchema): SourceFile {
  if (from === 'text') return { name: 'WITH SCHEMA', text: value };
  if (readSchema === undefined)
    throw fail('R0511', { path: value, problem: 'this session has no files; give the text' });
  return { name: value, text: readSchema(value) };
}
