import {
  candidateInSteps,
  changeInSteps,
  hasErrors,
  parseInSteps,
  type Diagnostic,
  type SourceFile,
} from '../../compiler/index.ts';
import { tryUpcasts } from '../../runtime/engine/try-upcasts.ts';
import { changedClauses } from '../registry/changed-clauses.ts';
import { readHistoryFromLog } from '../registry/from-log/history-from-log.ts';
import { inSlices, slicedStatement } from '../registry/in-slices.ts';
import type { DomainLoader } from '../registry/load/domain-loader.ts';
import type { CompiledPlace, Place } from './place.ts';

/** `place` is absent with errors among the diagnostics. */
export interface Tried<P> {
  readonly place?: P & CompiledPlace;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The place with definitions that are tried and not registered (docs/language.md#inspections): CREATE replaces a block of its name, DROP and APPLY
 * work as in a script; other statements are errors. It has no relations until it is opened as of a moment. Throws a `Failure` R0510 if a clause
 * cannot read a stored event; `mayGoOn` is called between slices of the work, and throws when it is to stop.
 */
export async function tryOn<P extends Place>(
  place: P,
  file: SourceFile,
  { loader, mayGoOn = () => undefined }: { readonly loader: DomainLoader; readonly mayGoOn?: () => void },
): Promise<Tried<P>> {
  const { store } = place.engine;
  const { statements, diagnostics } = await inSlices(parseInSteps(file, slicedStatement), mayGoOn);
  const parsed = statements.flatMap(({ statement }) => statement ?? []);
  const before = await place.registry();
  const { change, faults } = await inSlices(candidateInSteps(parsed, before), mayGoOn);
  const found = [...diagnostics, ...faults];
  if (hasErrors(found)) return { diagnostics: found };
  const history = await readHistoryFromLog(store.log).read();
  const result = await inSlices(changeInSteps(before, { ...change, history }), mayGoOn);
  const all = [...found, ...result.diagnostics];
  if (hasErrors(all)) return { diagnostics: all };
  const { registry } = result;
  const domain = await loader.load(registry.catalog, registry.waiting, mayGoOn);
  await tryUpcasts(() => store.log.read(1), changedClauses(domain, registry.catalog, before.catalog), mayGoOn);
  return { place: { ...place, registry: () => registry, domain, isLive: false }, diagnostics: all };
}
