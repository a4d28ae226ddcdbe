import { createHash } from 'node:crypto';
import { Failure } from '../../../language/failure/failure.ts';
import { namesTag, storeKey, storeTag, streamTag } from '../conditional/entity-tag.ts';
import type { HttpOptions } from '../options.ts';
import { Problem } from '../answers/problem.ts';
import { readParameters } from '../parameters/read-parameters.ts';
import { prefersCount } from '../request/prefer.ts';
import { codingFor } from '../representation/compression.ts';
import { rowsPage } from '../pages/rows-page.ts';
import { prefersPage, type Represent, type Representation } from '../representation/representation.ts';
import { titleOf } from '../settings.ts';
import type { Access, Answer, Call, Route } from './route.ts';

/** The path of a request as it was sent, and its query. */
export interface Requested {
  readonly path: string;
  readonly querystring: string;
}

/** An answer with everything that decides its form, or the result that the caller's copy is still valid. */
export type Answered = { readonly isPage: boolean } & (
  | { readonly answer: Answer; readonly representation: Representation | undefined; readonly tag: string | undefined }
  | { readonly unchanged: true; readonly tag: string; readonly total: number | undefined }
);

/**
 * Takes a call whose route is known through all checks in order: the named resource (404), rights and mode (403), form (406), parameters
 * (400), the caller's copy (304); then the handler.
 */
export async function answerCall(
  route: Route,
  call: Call,
  { path, querystring }: Requested,
  represent: Represent,
): Promise<Answered> {
  const access = await route.resolve(call);
  checkRights(route, call, access);
  if (route.mutates === true && call.options.engine.readOnly)
    throw new Failure('R0109', 'the server is in read-only mode');
  const accept = call.header('accept');
  const form = route.answers === 'table' ? represent(accept, access.asLines === true) : undefined;
  const asPage = route.readable === true && prefersPage(accept);
  const isPage = asPage || form === 'page' || route.answers === 'page';
  const parameters = readParameters(querystring, route.query, access.columns ?? []);
  const page =
    form === 'page' ? rowsPage(route, titleOf(call.options.settings), { path, querystring }, parameters) : undefined;
  const counted = route.query.includes('count') && prefersCount(call.header('prefer'));
  const seq = await access.seq?.();
  const tag = await tagOf(route, call, access, nameOf(route, form, asPage), seq);
  if (tag !== undefined && namesTag(call.header('if-none-match'), tag)) {
    // The copy may be from an answer that was not counted.
    const total = counted ? await access.count?.(parameters) : undefined;
    return { unchanged: true, tag, total, isPage };
  }
  const byColumn = form !== 'page' && form?.byColumn !== undefined;
  const answer = await access.answer(page?.parameters ?? parameters, { byColumn, counted, asPage });
  return { answer, representation: form === 'page' ? page?.of(answer) : form, tag, isPage };
}

/** The form of an answer in entity tags. */
function nameOf({ name }: Route, form: Representation | 'page' | undefined, asPage: boolean): string {
  if (form === undefined) return asPage ? `${name} page` : name;
  return form === 'page' ? form : form.name;
}

function checkRights(route: Route, call: Call, access: Access): void {
  const lacking = [...ownRights(route, call.path), ...(access.needs ?? [])].find((right) => !call.caller.may(right));
  if (lacking === undefined) return;
  call.log({ denied: lacking });
  throw new Problem('H4031', `this needs the right '${lacking}'`);
}

const named = new WeakMap<Call['path'], readonly string[]>();

/** The route's rights with the names from the path, remembered per path. */
function ownRights({ rights }: Route, path: Call['path']): readonly string[] {
  const known = named.get(path);
  if (known !== undefined) return known;
  const own = rights.map((right) => right.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? ''));
  named.set(path, own);
  return own;
}

/** Undefined if the caller may not keep a copy of the answer. `seq`: the position of the stream of a single-stream route. */
async function tagOf(
  route: Route,
  call: Call,
  access: Access,
  representation: string,
  seq: number | undefined,
): Promise<string | undefined> {
  if (route.freshness === 'never' || access.usesTime === true) return undefined;
  const { engine } = call.options;
  const parts = {
    server: serverKey(call),
    registryVersion: engine.registryVersion(),
    registryHash: call.domain.hash,
    representation,
    rightsKey: call.caller.rightsKey,
  };
  switch (route.freshness) {
    case 'stream': {
      if (seq === undefined) throw new Error('a route of one stream gave no position');
      const { secret, epoch } = engine.store;
      const coding = codingFor(call.header('accept-encoding')) ?? 'identity';
      return streamTag(seq, { ...parts, store: storeKey(secret), epoch: epoch(), coding });
    }
    case 'store': {
      const { entry, at } = await engine.store.freshPosition();
      return storeTag({ ...parts, entry, at });
    }
  }
}

const serverKeys = new WeakMap<HttpOptions, string>();

/**
 * Distinguishes servers whose answers differ without a write: by their stores (a store in memory starts at entry 0 in every process), and
 * by the settings that `/info` and `/openapi.json` show, which a restart can change.
 */
function serverKey({ options, routes }: Pick<Call, 'options' | 'routes'>): string {
  const known = serverKeys.get(options);
  if (known !== undefined) return known;
  const { engine, version, settings } = options;
  const names = routes.map(({ name }) => name);
  const { limits, auth, api, docsUrl } = settings;
  const told = JSON.stringify([version, engine.readOnly, names, limits, auth !== undefined, api, docsUrl]);
  const hash = createHash('sha256').update('entity tag').update(engine.store.secret).update(told);
  const key = hash.digest('hex').slice(0, 8);
  serverKeys.set(options, key);
  return key;
}
