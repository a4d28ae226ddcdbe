import { blockKinds } from '../../../language/contract/block-kind.ts';
import { closed, text, whole } from '../wire/json-schema.ts';
import { json, type Route } from '../route.ts';
import type { JsonObject } from '../../../language/values/json.ts';
import { Problem } from '../wire/problem.ts';

/** The registry as text: read all of it, or add to it. */
export const languageRoutes: readonly Route[] = [
  {
    name: 'export',
    method: 'GET',
    path: '/api/lang/export',
    summary: 'The whole registry as text that loads again',
    rights: ['read:meta_*'],
    answers: 'text',
    statuses: [503],
    query: ['as_of'],
    past: 'registry',
    freshness: 'store',
    resolve: ({ domain }) => ({
      answer: () => ({ kind: 'text', type: 'text/plain; charset=utf-8', text: domain.exportText }),
    }),
  },
  {
    name: 'create',
    method: 'POST',
    path: '/api/lang/create',
    summary: 'Registers the blocks of a text, all or none',
    rights: ['create'],
    answers: 'status',
    schema: closed({
      status: { const: 'created' },
      registry_version: whole,
      created: {
        type: 'array',
        items: closed(
          {
            kind: { type: 'string', enum: blockKinds },
            name: text,
            change: { type: 'string', enum: ['created', 'replaced', 'unchanged'] },
            waiting: whole,
            cancelled: whole,
          },
          ['kind', 'name', 'change'],
        ),
      },
    }),
    statuses: [409, 413, 415, 503],
    query: [],
    freshness: 'never',
    mutates: true,
    body: 'schema',
    enabled: (options) => options.create === true,
    resolve: (call) => ({
      answer: async () => {
        const { schemaBytes } = call.options.settings.limits;
        // For the body as read, and the text parsed from its JSON.
        await call.lease.forText(2 * schemaBytes);
        const text = stringField(await call.body({ bytes: schemaBytes, stringBytes: schemaBytes }), 'lang');
        const { create } = await call.options.late();
        const { registryVersion, created } = await create(text);
        call.log({ registry_version: registryVersion, blocks: created.length });
        return json(201, { status: 'created', registry_version: registryVersion, created });
      },
    }),
  },
];

/** The single string of a body such as `{"sql": "…"}`; anything else is refused. */
function stringField(body: JsonObject, name: string): string {
  const value = body.get(name);
  if (typeof value === 'string' && body.size === 1) return value;
  const message = `the body takes exactly one field, '${name}', a string`;
  throw new Problem('H4005', message, {}, [{ field: name, message, pointer: `/${name}` }]);
}
