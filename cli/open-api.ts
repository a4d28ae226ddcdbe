import { createHash } from 'node:crypto';
import { createKept, type Catalog } from '../compiler/index.ts';
import { openApiText, type DescribedDomain } from '../server/http/openapi/document.ts';
import { routesOf } from '../server/http/pipeline/route-table.ts';
import { defaultHttpLimits } from '../server/http/settings.ts';

type Shown = Omit<DescribedDomain, 'hash'>;

/** Most changes only change the registry's hash in the document: the document, with a mark in place of the hash. */
const documents = new WeakMap<Shown, { readonly version: string; readonly text: string }>();
const kept = createKept<Shown>();
const mark = '#'.repeat(64);

/**
 * The OpenAPI document of a schema: the answer of a server at `/openapi.json` if its configuration has no credentials and enables no
 * further routes.
 */
export function openApiOf(catalog: Catalog, exportText: string, version: string): string {
  const shown = kept(shownOf(catalog));
  const known = documents.get(shown);
  const text = known?.version === version ? known.text : documentOf(shown, version);
  documents.set(shown, { version, text });
  const hash = createHash('sha256').update(exportText).digest('hex');
  return text.replace(/#{12,}/, (marked) => hash.slice(0, marked.length));
}

function documentOf(shown: Shown, version: string): string {
  const settings = { allowedHosts: [], allowedOrigins: [], metrics: 'here', limits: defaultHttpLimits } as const;
  return openApiText({ version, settings }, { ...shown, hash: mark }, routesOf({ settings }));
}

/** The parts of the generated domain that the document shows. */
function shownOf({ blocks }: Catalog): Shown {
  return {
    aggregates: blocks.aggregate.map(({ name, state, eventColumns }) => ({
      name,
      stateColumns: state.columns,
      eventColumns,
    })),
    commands: blocks.command.map(({ name, fields }) => ({ name, fields })),
    decisions: blocks.decision.map(({ command, aggregate }) => ({ command, aggregate })),
    projections: blocks.projection.map(({ name, query }) => ({ name, columns: query.columns })),
  };
}
