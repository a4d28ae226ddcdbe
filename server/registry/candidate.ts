/**
 * Definitions that are tried and not registered (docs/language.md#inspections). Takes a text and the registry in force, gives the registry
 * and the running domain in which the text's blocks replace the registered ones of their names.
 */
import {
  candidateInSteps,
  changeInSteps,
  hasErrors,
  parseInSteps,
  type Diagnostic,
  type Registry,
  type SourceFile,
} from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';
import { tryUpcasts } from '../../runtime/engine/try-upcasts.ts';
import type { Store } from '../../runtime/store/store.ts';
import { changedClauses } from './changed-clauses.ts';
import { readHistoryFromLog } from './from-log/history-from-log.ts';
import { inSlices, slicedStatement } from './in-slices.ts';
import type { DomainLoader } from './load/domain-loader.ts';

/** Absent with errors among the diagnostics. */
export interface Candidate {
  readonly registry: Registry;
  readonly domain: Domain;
}

export interface CandidateOptions {
  readonly registry: Registry;
  /** Its stored events must be readable under the candidate. */
  readonly store: Store;
  readonly loader: DomainLoader;
  /** Called between slices of the work; throws when it is to stop. */
  readonly mayGoOn?: () => void;
}

/**
 * CREATE replaces a block of its name, DROP and APPLY work as in a script; other statements are errors. Throws a `Failure` R0510 if a clause
 * cannot read a stored event.
 */
export async function compileCandidate(
  file: SourceFile,
  { registry, store, loader, mayGoOn = () => undefined }: CandidateOptions,
): Promise<{ readonly candidate?: Candidate; readonly diagnostics: readonly Diagnostic[] }> {
  const { statements, diagnostics } = await inSlices(parseInSteps(file, slicedStatement), mayGoOn);
  const parsed = statements.flatMap(({ statement }) => statement ?? []);
  const { change, faults } = await inSlices(candidateInSteps(parsed, registry), mayGoOn);
  const found = [...diagnostics, ...faults];
  if (hasErrors(found)) return { diagnostics: found };
  const history = await readHistoryFromLog(store).read();
  const result = await inSlices(changeInSteps(registry, { ...change, history }), mayGoOn);
  const all = [...found, ...result.diagnostics];
  if (hasErrors(all)) return { diagnostics: all };
  const { catalog, waiting } = result.registry;
  const domain = await loader.load(catalog, waiting, mayGoOn);
  await tryUpcasts(() => store.read(1), changedClauses(domain, catalog, registry.catalog), mayGoOn);
  return { candidate: { registry: result.registry, domain }, diagnostics: all };
}
