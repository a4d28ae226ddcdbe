import { zoneVersion } from '../../../language/values/zones/zone-table.ts';
import { blockKinds, type BlockKind } from '../../../language/contract/block-kind.ts';
import type { Trouble } from '../../../runtime/store/journal.ts';
import type { Store } from '../../../runtime/store/store.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import { clockNote } from '../answers/clock-note.ts';
import { Problem } from '../wire/problem.ts';
import { closed, text, whole } from '../wire/json-schema.ts';
import { json, type Route } from '../route.ts';
import { withoutPaths } from '../wire/without-paths.ts';

/** Stores whose time is ahead of the clock, as the log of the server says once. */
const told = new WeakSet<Store>();

/** Liveness, readiness and information about the server. */
export const statusRoutes: readonly Route[] = [
  {
    name: 'health',
    method: 'GET',
    path: '/health',
    summary: 'Whether the process is running',
    local: true,
    rights: [],
    open: true,
    answers: 'status',
    schema: {
      type: 'object',
      required: ['status'],
      additionalProperties: false,
      properties: {
        status: { const: 'ok' },
        starting: { ...text, description: 'before the server is ready: what it reads from the log, and how far it is' },
        log: { ...text, description: 'while the log takes no entries: the reason, such as a database that is away' },
      },
    },
    statuses: [],
    query: [],
    freshness: 'never',
    resolve: ({ options: { engine } }) => ({
      answer: () => {
        const trouble =
          engine.store.turns.refusesReads() ?? (engine.readOnly ? undefined : engine.store.turns.refusesWrites());
        return json(200, { status: 'ok', ...(trouble !== undefined && { log: withoutPaths(trouble.reason) }) });
      },
    }),
  },
  {
    name: 'ready',
    method: 'GET',
    path: '/ready',
    summary: 'Whether everything is loaded and the store accepts writes; read-only mode counts as ready',
    rights: [],
    open: true,
    answers: 'status',
    schema: {
      type: 'object',
      required: ['status'],
      additionalProperties: false,
      properties: {
        status: { const: 'ok' },
        notes: { type: 'array', items: text, description: 'other things that need attention' },
      },
    },
    statuses: [503],
    query: [],
    freshness: 'never',
    resolve: ({ options }) => ({
      answer: async () => {
        const { store, readOnly } = options.engine;
        await store.log.look();
        const trouble = store.turns.refusesWrites();
        if (options.stopping.aborted) throw new Problem('H5032', 'the server is stopping');
        const lost = store.turns.refusesReads();
        if (lost !== undefined) throw notReady(lost);
        if (trouble !== undefined && !readOnly) throw notReady(trouble);
        const delay = store.tables.trouble();
        if (delay !== undefined) throw notReady({ reason: delay, heals: true });
        await options.loaded();
        const clock = clockNote(store, options.time.now());
        if (clock === undefined) told.delete(store);
        else if (!told.has(store)) options.log.warn({}, clock);
        if (clock !== undefined) told.add(store);
        const reasons = [trouble?.reason, ...store.notes(), clock];
        const notes = reasons.flatMap((reason) => (reason === undefined ? [] : withoutPaths(reason)));
        return json(200, { status: 'ok', ...(notes.length > 0 && { notes }) });
      },
    }),
  },
  {
    name: 'info',
    method: 'GET',
    path: '/info',
    summary: 'Version, mode, registry and store of this server',
    local: true,
    rights: ['read:meta_*'],
    answers: 'status',
    schema: closed({
      version: text,
      readonly: { type: 'boolean' },
      concept_counts: closed(Object.fromEntries(blockKinds.map((kind) => [`${kind}s`, whole]))),
      interface: { const: 'v0.1.0' },
      registry_version: whole,
      zones: text,
      store: text,
    }),
    statuses: [],
    query: [],
    freshness: 'store',
    resolve: ({ options, domain }) => ({
      answer: () =>
        json(200, {
          version: options.version,
          readonly: options.engine.readOnly,
          concept_counts: conceptCounts(domain),
          interface: 'v0.1.0',
          registry_version: options.engine.registryVersion(),
          zones: zoneVersion,
          store: options.engine.store.kind,
        }),
    }),
  },
];

/** A temporary problem is worth another try; any other needs an operator. */
function notReady({ reason, heals }: Trouble): Problem {
  return new Problem('H5032', withoutPaths(reason), heals ? { 'Retry-After': '1' } : {});
}

function conceptCounts(domain: Domain): Readonly<Record<string, number>> {
  const count = (kind: BlockKind): number => domain.blocks.filter((block) => block.kind === kind).length;
  return Object.fromEntries(blockKinds.map((kind) => [`${kind}s`, count(kind)]));
}
