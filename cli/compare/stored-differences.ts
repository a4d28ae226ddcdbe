/** Consequences of files for the events of a store: versions without a way, clauses that fail, fields that are no longer read. */
import type { Catalog, Diagnostic, Difference } from '../../compiler/index.ts';
import { Failure } from '../../language/failure/failure.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Store } from '../../runtime/store/store.ts';
import { productVersion } from '../version.ts';
import { historyOf, type CompileWithHistory } from './registry-side.ts';

export interface StoredDifferences {
  readonly differences: readonly Difference[];
  /** The files as they would serve the store; undefined if stored events forbid them. */
  readonly served?: { readonly catalog: Catalog; readonly domain: Domain };
}

/** Compiles the files against the store's history, and tries their UPCAST clauses on all stored events. */
export async function storedDifferences(compile: CompileWithHistory, store: Store): Promise<StoredDifferences> {
  const { difference, hasErrors } = await import('../../compiler/index.ts');
  const { diagnostics, catalog } = compile(await historyOf(store));
  const differences = diagnostics.flatMap((diagnostic) => {
    const code = diagnostic.severity === 'error' ? 'stored-events' : lostField(diagnostic);
    if (code === undefined) return [];
    return [
      difference(code, { kind: 'event', name: eventOf(diagnostic) }, `${diagnostic.message} (${diagnostic.code})`),
    ];
  });
  if (hasErrors(diagnostics)) return { differences };
  const { createDomainLoader } = await import('../../server/registry/load/domain-loader.ts');
  const domain = await createDomainLoader({ version: productVersion() }).load(catalog);
  const { tryUpcasts } = await import('../../runtime/engine/try-upcasts.ts');
  const failed: Difference[] = [];
  for (const event of domain.events) {
    try {
      await tryUpcasts(() => store.log.read(1), [event]);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failed.push(difference('stored-events', { kind: 'event', name: event.name }, `${error.message} (${error.code})`));
    }
  }
  return { differences: [...failed, ...differences], ...(failed.length === 0 && { served: { catalog, domain } }) };
}

function lostField({ code }: Diagnostic): 'stored-field-lost' | undefined {
  return code === 'E0423' || code === 'E0424' ? 'stored-field-lost' : undefined;
}

/** The name in the head of the statement around the diagnostic. */
function eventOf({ span }: Diagnostic): string {
  const before = span.file.text.slice(0, span.end);
  const heads = [...before.matchAll(/\bCREATE\s+(?:OR\s+REPLACE\s+)?EVENT\s+"?(\w+)/gi)];
  return heads.at(-1)?.[1] ?? span.file.name;
}
