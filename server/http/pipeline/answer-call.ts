import { createHash } from 'node:crypto';
import { Failure } from '../../../language/failure/failure.ts';
import type { Soon } from '../../../language/failure/soon.ts';
import { Overtaken } from '../../../runtime/store/store.ts';
import { allow } from '../../operation/allow.ts';
import { filteredBy, isClearedBy, rowsKey } from '../../operation/asker.ts';
import { rightsKey } from '../../operation/rights.ts';
import { namesTag, pastTag, storeKey, storeTag, streamTag, type StoreParts } from '../conditional/entity-tag.ts';
import type { HttpOptions } from '../options.ts';
import { Problem } from '../wire/problem.ts';
import { readParameters } from '../parameters/read-parameters.ts';
import { prefersCount } from '../request/prefer.ts';
import { codingFor } from '../representation/compression.ts';
import { asksToFollow, checkStreamParameters, formOf, openStream } from '../follow/open-stream.ts';
import { rowsPage } from '../pages/rows-page.ts';
import { prefersPage, type Represent, type Representation } from '../representation/representation.ts';
import { titleOf } from '../settings.ts';
import type { Moment } from '../../../runtime/store/journal/moment.ts';
import { asksForPast, pastAnswerOf, type PastAnswer } from './past-answer.ts';
import type { Target } from '../request/target.ts';
import { readsLog, type Access, type Answer, type Call, type Route } from '../route.ts';

/** An answer with everything that decides its form, or the result that the caller's copy is still valid. */
export type Answered = {
  readonly isPage: boolean;
  /** The moment that it shows. */ readonly asOf: Moment | undefined;
} & (
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
  { path, querystring }: Target,
  represent: Represent,
): Promise<Answered> {
  const past = asksForPast(route, querystring) ? await checkedPast(route, call, querystring) : undefined;
  const found = resolved(route, past?.call ?? call);
  const access = found instanceof Promise ? await found : found;
  checkRights(route, call, access);
  if (route.mutates === true && call.options.engine.readOnly)
    throw new Failure('R0109', 'the server is in read-only mode');
  const accept = call.header('accept');
  const { follow } = access;
  if (follow !== undefined && asksToFollow(route, accept, querystring)) {
    call.log({ follows: true });
    return { answer: await followed(route, call, access, querystring, follow), ...unformed };
  }
  const form = route.answers === 'table' ? represent(accept, access.asLines === true) : undefined;
  const asPage = route.readable === true && prefersPage(accept);
  const isPage = asPage || form === 'page' || route.answers === 'page';
  const parameters = readParameters(querystring, route.query, access.columns ?? []);
  if (follow !== undefined) checkStreamParameters(parameters, call, false);
  const page =
    form === 'page' ? rowsPage(route, titleOf(call.options.settings), { path, querystring }, parameters) : undefined;
  const counted = route.query.includes('count') && prefersCount(call.header('prefer'));
  // The stream of a single-stream route has to exist in any case.
  const position = past === undefined ? access.seq?.() : undefined;
  const seq = position instanceof Promise ? await position : position;
  const { usesTime, shows } = access;
  const tag = tagOf(route, call, { usesTime, shows, seq, past }, nameOf(route, form, asPage));
  if (tag !== undefined && namesTag(call.header('if-none-match'), tag)) {
    // The copy may be from an answer that was not counted.
    const total = counted ? await (past ?? access).count?.(parameters) : undefined;
    return { unchanged: true, tag, total, isPage, asOf: past?.moment };
  }
  const byColumn = form !== 'page' && form?.byColumn !== undefined;
  const answer = await (past ?? access).answer(page?.parameters ?? parameters, { byColumn, counted, asPage });
  return { answer, representation: form === 'page' ? page?.of(answer) : form, tag, isPage, asOf: past?.moment };
}

/** Decides by the names and rights of today, before anything of the past is computed. The past registry has names of its own. */
async function checkedPast(route: Route, call: Call, querystring: string): Promise<PastAnswer | undefined> {
  checkRights(route, call, route.past === 'registry' ? {} : await resolved(route, call));
  return pastAnswerOf(route, call, querystring);
}

/** A stream has its own form, and nothing that a client could keep. */
const unformed = { representation: undefined, tag: undefined, isPage: false, asOf: undefined } as const;

async function followed(
  route: Route,
  call: Call,
  { columns = [] }: Access,
  querystring: string,
  follow: NonNullable<Access['follow']>,
): Promise<Answer> {
  const parameters = readParameters(querystring, route.query, columns);
  const form = formOf(call, call.header('accept'), parameters.names === true);
  checkStreamParameters(parameters, call, true);
  return openStream(call, follow(parameters), parameters, form);
}

/** Finds the named resource. */
function resolved(route: Route, call: Call): Soon<Access> {
  try {
    const access = route.resolve(call);
    if (!(access instanceof Promise)) return access;
    return access.catch((error: unknown) => refused(route, call, error));
  } catch (error) {
    return refused(route, call, error);
  }
}

/**
 * A command is not preceded by a question to the log, so before its name is refused the server makes sure that no other one has created it.
 */
async function refused(route: Route, call: Call, error: unknown): Promise<never> {
  const { engine } = call.options;
  if (!engine.store.shared || route.local === true || readsLog(route) || !isMissing(error)) throw error;
  await engine.store.turns.fresh();
  throw engine.domain() === call.domain ? error : new Overtaken();
}

function isMissing(error: unknown): boolean {
  return (error instanceof Failure && error.kind === 'missing') || (error instanceof Problem && error.status === 404);
}

/** The form of an answer in entity tags. */
function nameOf({ name }: Route, form: Representation | 'page' | undefined, asPage: boolean): string {
  if (form === undefined) return asPage ? `${name} page` : name;
  return form === 'page' ? form : form.name;
}

function checkRights(route: Route, { caller, path }: Call, access: Pick<Access, 'needs'>): void {
  for (const right of route.rights) allow(caller, withNames(right, path));
  for (const right of access.needs ?? []) allow(caller, right);
}

/** The rights of routes, split at their parameters: every other part is the name of one. */
const parts = new Map<string, readonly string[]>();

/** A right of a route with the names from the path. */
function withNames(right: string, path: Call['path']): string {
  let own = parts.get(right);
  if (own === undefined) parts.set(right, (own = right.split(/[{}]/)));
  let text = '';
  for (let at = 0; at < own.length; at++) {
    const part = own[at] ?? '';
    text += at % 2 === 0 ? part : (path[part] ?? '');
  }
  return text;
}

/** The state that an answer shows: the stream's position, or a moment of the past. */
interface Shows {
  readonly usesTime: Access['usesTime'] | undefined;
  readonly shows: Access['shows'] | undefined;
  readonly seq: number | undefined;
  readonly past: PastAnswer | undefined;
}

/** Undefined if the caller may not keep a copy of the answer. */
function tagOf(
  route: Route,
  call: Call,
  { usesTime, shows = [], seq, past }: Shows,
  representation: string,
): string | undefined {
  if (route.freshness === 'never' || (usesTime === true && past === undefined)) return undefined;
  const { engine } = call.options;
  const parts = {
    server: serverKey(call),
    registryVersion: engine.registryVersion(),
    registryHash: call.domain.hash,
    representation: call.isLocal ? `${representation} local` : representation,
    rightsKey: rightsKey(call.caller) + rowsKey(call.domain, shows, call.caller),
  };
  if (past !== undefined) {
    // Past rows are chosen by the present.
    const final = past.moment.final && !shows.some((relation) => filteredBy(call.domain, relation, call.caller));
    const entry = final ? 0 : engine.store.turns.position().entry;
    return pastTag({ ...past.moment, final }, { ...parts, entry }, storeParts(call));
  }
  switch (route.freshness) {
    case 'stream': {
      if (seq === undefined) throw new Error('a route of one stream gave no position');
      // Other streams may decide which of its values are in the clear.
      const isOwn = !shows.some((relation) => isClearedBy(call.domain, relation, call.caller));
      const of = isOwn ? parts : { ...parts, rightsKey: `${parts.rightsKey}.${engine.store.turns.position().entry}` };
      return streamTag(seq, of, storeParts(call));
    }
    case 'store': {
      const { entry, at } = engine.store.turns.position();
      return storeTag({ ...parts, entry, at });
    }
  }
}

function storeParts(call: Call): StoreParts {
  const { secret, epoch } = call.options.engine.store;
  const coding = codingFor(call.header('accept-encoding')) ?? 'identity';
  return { store: storeKey(secret), epoch: epoch(), coding };
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
  const access = [auth !== undefined, auth?.anonymous !== undefined];
  const told = JSON.stringify([version, engine.readOnly, names, limits, access, api, docsUrl]);
  const hash = createHash('sha256').update('entity tag').update(engine.store.secret).update(told);
  const key = hash.digest('hex').slice(0, 8);
  serverKeys.set(options, key);
  return key;
}
