import { storeTag, namesTag, streamTag } from './entity-tag.ts';
import { createHash } from 'node:crypto';
import type { HttpOptions } from './options.ts';
import { Problem } from './problem.ts';
import { readParameters } from './read-parameters.ts';
import type { Representation } from './representation/representation.ts';
import type { Access, Answer, Call, Route } from './route.ts';

/** An answer with all that decides its form, or word that the caller's copy is still good. */
export type Answered =
  | { readonly answer: Answer; readonly representation: Representation | undefined; readonly tag: string | undefined }
  | { readonly unchanged: true; readonly tag: string };

/**
 * Takes a call whose route is known through all checks in their order: what the path names (404), rights and mode (403), form
 * (406), parameters (400), the caller's copy (304); then the handler's own work.
 */
export async function answerCall(
  route: Route,
  call: Call,
  queryString: string,
  represent: (accept: string | undefined) => Representation,
): Promise<Answered> {
  const access = await route.resolve(call);
  checkRights(route, call, access);
  if (route.mutates === true && call.options.engine.readOnly) throw new Problem(403, 'the server is in read-only mode');
  const representation = route.answers === 'table' ? represent(call.header('accept')) : undefined;
  const parameters = readParameters(queryString, route.query, access.filterable ?? []);
  const tag = route.freshness === 'never' ? undefined : await tagOf(route, call, access, representation);
  const mayBeOld = tag !== undefined && access.changesWithTime !== true;
  if (mayBeOld && namesTag(call.header('if-none-match'), tag)) return { unchanged: true, tag };
  return { answer: await access.answer(parameters, representation?.byColumn !== undefined), representation, tag };
}

function checkRights(route: Route, call: Call, access: Access): void {
  const lacking = [...ownRights(route, call.path), ...(access.needs ?? [])].find((right) => !call.caller.may(right));
  if (lacking === undefined) return;
  call.note({ denied: lacking });
  throw new Problem(403, `this needs the right '${lacking}'`);
}

const named = new WeakMap<Call['path'], readonly string[]>();

/** The route's rights with the path's names in them, kept for a path that is asked for again. */
function ownRights({ rights }: Route, path: Call['path']): readonly string[] {
  const known = named.get(path);
  if (known !== undefined) return known;
  const own = rights.map((right) => right.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? ''));
  named.set(path, own);
  return own;
}

async function tagOf(
  route: Route,
  call: Call,
  access: Access,
  representation: Representation | undefined,
): Promise<string | undefined> {
  const { engine } = call.options;
  switch (route.freshness) {
    case 'never':
      return undefined;
    case 'stream':
      return access.seq === undefined ? undefined : streamTag(await access.seq());
    case 'store':
      if (access.changesWithTime === true) return undefined;
      return storeTag({
        server: serverKey(call),
        entry: engine.store.position().entry,
        registryVersion: engine.registryVersion(),
        registryHash: call.domain.hash,
        representation: representation?.name ?? route.name,
        rightsKey: call.caller.rightsKey,
      });
  }
}

const serverKeys = new WeakMap<HttpOptions, string>();

/**
 * Tells servers apart whose answers differ with nothing written: by their stores (one in memory starts anew at entry 0 with every process),
 * and by what a restart can change, which `/info` and `/openapi.json` tell.
 */
function serverKey({ options, routes }: Pick<Call, 'options' | 'routes'>): string {
  const known = serverKeys.get(options);
  if (known !== undefined) return known;
  const { engine, version, settings } = options;
  const names = routes.map(({ name }) => name);
  const told = JSON.stringify([version, engine.readOnly, names, settings.limits, settings.auth !== undefined]);
  const hash = createHash('sha256').update('entity tag').update(engine.store.secret).update(told);
  const key = hash.digest('hex').slice(0, 8);
  serverKeys.set(options, key);
  return key;
}
