/** Parts that routes of subscriptions and of reactions share: how far they have come, lists, pause and start, actions with a body. */
import type { Table } from '../../../runtime/engine/outcome.ts';
import { mayKnow } from '../../operation/rights.ts';
import type { Position } from '../../../runtime/delivery/hand-out/subscriptions.ts';
import { pause, standing, start, type Kind } from '../../operation/operate.ts';
import { reshaped } from '../../operation/shown.ts';
import { pageOf } from '../../operation/describe/meta-rows.ts';
import { reactionOf, subscriptionOf } from '../answers/registered.ts';
import { closed, text, type JsonSchema } from '../wire/json-schema.ts';
import { takes } from '../parameters/parameter-table.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import { json, type Answer, type Call, type Route } from '../route.ts';
import { bodyMembers, type Member, type Members } from '../request/body-members.ts';

export type Head = Omit<Route, 'resolve'>;

/** The block that a path names. */
export function namedBy({ domain, path }: Pick<Call, 'domain' | 'path'>, kind: Kind): string {
  return (kind === 'subscription' ? subscriptionOf : reactionOf)(domain, path['name']).name;
}

/** A route under the path of one kind, for operators alone. */
export function reading(kind: Kind, name: string, path: string, summary: string): Head {
  return {
    name,
    method: 'GET',
    path: `/api/${kind}s${path}`,
    summary,
    rights: ['manage:{name}'],
    answers: 'status',
    statuses: [409, 503],
    query: [],
    freshness: 'never',
  };
}

/** A route that takes an action, with a body of members. */
export function posted(kind: Kind, action: string, summary: string, name = `${kind}_${action}`): Head {
  return {
    ...reading(kind, name, `/{name}/${action}`, summary),
    method: 'POST',
    statuses: [409, 413, 415, 503],
    mutates: true,
    body: 'members',
  };
}

/** A route for the progress of all blocks that the caller may know of, or of the one in the path. */
export function standingRoute(kind: Kind, name: string, summary: string, path: '' | '/{name}' = ''): Route {
  return {
    ...reading(kind, name, path, summary),
    answers: 'table',
    rows: `${kind}s`,
    query: takes.page,
    // Consumers of a subscription may know it too.
    rights: path === '' || kind === 'subscription' ? [] : ['manage:{name}'],
    resolve: (call) => {
      const only = path === '' ? undefined : namedBy(call, kind);
      return {
        needs: only === undefined || mayKnow(call.caller, `meta_${kind}s`, only) ? [] : [`manage:${only}`],
        answer: async (parameters) => {
          const table = await standing(call, kind, (each) => only === undefined || each === only);
          return { kind: 'table', table: reshaped(table, (whole: Table) => pageOf(whole, parameters)) };
        },
      };
    },
  };
}

/** A route that lists rows of a block for its operators, up to a limit. */
export function listing(
  head: Head,
  kind: Kind,
  items: JsonSchema,
  rows: (call: Call, name: string, parameters: ReadParameters) => Promise<readonly object[]>,
): Route {
  const list = head.path.split('/').at(-1) ?? '';
  return {
    ...head,
    query: ['limit'],
    schema: closed({ [list]: listOf(items) }),
    resolve: (call) => {
      const name = namedBy(call, kind);
      return { answer: async (parameters) => json(200, { [list]: await rows(call, name, parameters) }) };
    },
  };
}

export function pauseAndStart(
  kind: Kind,
  summaries: { readonly pause: string; readonly start: string },
  position: Member<Position>,
): readonly Route[] {
  return [
    {
      ...posted(kind, 'pause', summaries.pause),
      schema: closed({ state: text }),
      ...taking(kind, {}, [], async (call, name) => ({ state: await pause(call, kind, name) })),
    },
    {
      ...posted(kind, 'start', summaries.start),
      schema: closed({ state: text }),
      ...taking(kind, { position }, [], async (call, name, { position: given }) => ({
        state: await start(call, kind, name, given),
      })),
    },
  ];
}

/** The values of a body with these members. */
type Given<M extends Members> = { readonly [Name in keyof M]?: M[Name] extends Member<infer T> ? T : never };

/**
 * A route with a body that has these members. `print` says what was done and is not waited for, so that nothing can make the call begin again once it
 * has had its effect.
 */
export function taking<M extends Members, T>(
  kind: Kind,
  members: M,
  required: readonly (keyof M & string)[],
  act: (call: Call, name: string, given: Given<M>) => Promise<T>,
  print: (done: T, call: Call) => Answer = (done) => json(200, done),
): Pick<Route, 'members' | 'required' | 'resolve'> {
  return {
    members,
    required,
    resolve: (call) => {
      const name = namedBy(call, kind);
      return {
        answer: async () => {
          const { commandBytes: bytes, stringBytes } = call.options.settings.limits;
          const given = bodyMembers(await call.body({ bytes, stringBytes }), { members, required });
          return print(await act(call, name, given as Given<M>), call);
        },
      };
    },
  };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}
