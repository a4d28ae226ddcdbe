/**
 * Takes the options from the server entry, gives the Koa application: the whole HTTP contract, request by request. It opens no port
 * (`start-http.ts` does), reads no file, and knows no store.
 */
import type Koa from 'koa';
import type { Context } from 'koa';
import { accessLog, completeHead } from './pipeline/access-log.ts';
import { accountOf, anyone } from '../operation/caller.ts';
import { answerCall, type Answered } from './pipeline/answer-call.ts';
import { nextDomain } from '../operation/again.ts';
import { createAuthority } from './auth/authority.ts';
import type { AuthPolicy } from './auth/policy.ts';
import { readJsonBody, refuseCompressed } from './request/body.ts';
import { createLateKoa } from './pipeline/late-koa.ts';
import { createLineReader } from './request/line-reader.ts';
import { expectsInvitation, keepOwnTime } from './pipeline/own-time.ts';
import { errorAnswers } from './pipeline/errors.ts';
import { askedHost, createHostCheck } from './guard/hosts.ts';
import { createOriginCheck } from './guard/origins.ts';
import { createRates, takeOne } from './guard/rates.ts';
import { checkRequestHead } from './guard/request-head.ts';
import { createFollowers, type Followers } from '../operation/follow/followers.ts';
import { createDeliveries, type Deliveries } from '../../runtime/delivery/deliveries.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { createHeldResults } from '../operation/room/held-results.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import type { HttpOptions } from './options.ts';
import { storeKey } from './conditional/entity-tag.ts';
import { reachPosition, readWish, type ReadWish } from './pipeline/read-position.ts';
import { defaultReadSettings } from './settings.ts';
import { Busy, HungUp } from '../operation/room/busy.ts';
import { Problem } from './wire/problem.ts';
import { createRepresentations } from './representation/representation.ts';
import { setHeaders, vary, type RequestState } from './pipeline/request-state.ts';
import { readsLog, type Call } from './route.ts';
import { routesOf } from './routes/route-table.ts';
import { allowed, createRouting, placeFor } from './pipeline/routing.ts';
import { send } from './pipeline/send.ts';

export interface HttpApp {
  readonly koa: Koa;
  readonly metrics: Metrics;
  readonly followers: Followers;
  readonly deliveries: Deliveries;
  /** Puts another policy in force for all later requests, and ends streams of callers who lost their rights. */
  readonly replacePolicy: (policy: AuthPolicy) => Promise<void>;
}

/** Rejects when the policy's key set file cannot be read. */
export async function createApp(options: HttpOptions): Promise<HttpApp> {
  const { settings, log } = options;
  const keyOptions = { now: options.time.now, warn: (message: string) => log.warn({}, message) };
  const authority = await createAuthority(settings.auth, keyOptions, settings.as);
  const checkHost = createHostCheck(settings.allowedHosts);
  const checkOrigin = createOriginCheck(settings.allowedOrigins, settings.loopbackOrigins);
  const represent = createRepresentations(options.arrow);
  const held = createHeldResults(settings.limits);
  const followers = createFollowers(options.engine, settings.limits, options.time.monotonic);
  const deliveries = createDeliveries({
    ...options.push,
    engine: options.engine,
    tail: followers.tail,
    settings: settings.push ?? { allowedHosts: [], allowedAddresses: [] },
    now: options.time.now,
    monotonic: options.time.monotonic,
    random: options.randomBytes,
    warn: (message) => log.warn({}, message),
  });
  const metrics = createMetrics(held.bytes, followers, deliveries);
  const rates = createRates(settings.limits, options.time.monotonic);
  const routes = routesOf(options);
  const placesAt = createRouting(routes, settings.limits);
  const read = settings.read ?? defaultReadSettings;
  const store = storeKey(options.engine.store.secret);

  const parts: CallParts = { options, routes, metrics, followers, deliveries, rates };

  const koa = createLateKoa();
  koa.on('error', (error: Error, context?: Context) => logCut(options, error, context));
  const begin = accessLog(options, metrics);
  const refuse = errorAnswers((state, error) =>
    log.error({ request_id: state.requestId, err: error }, 'request failed'),
  );
  // A single layer: each further one costs every request two promises.
  koa.use(async (context) => {
    const state = begin(context);
    try {
      await answer(context, state);
    } catch (error) {
      await refuse(context, state, error);
    }
    completeHead(context, state);
  });
  const replacePolicy = async (policy: AuthPolicy): Promise<void> => {
    await authority.replace(policy);
    followers.tail.wakeAll();
  };
  return { koa, metrics, followers, deliveries, replacePolicy };

  /** The contract fixes the order of refusals: the request itself, 401, 429, 404, 405, then (in `answerCall`) 403. */
  async function answer(context: Context, state: RequestState): Promise<void> {
    // A client that is refused before it sends its body may leave it out, so that the place of the next request is unknown.
    const { req } = context;
    if (expectsInvitation(req)) state.headers['Connection'] = 'close';
    if (isPreflight(context)) {
      context.status = 204;
      return;
    }
    const here = placesAt(state.target.path);
    const open = here.length > 0 && here.every(({ route }) => route.open !== undefined);
    const isToAll = open && here.some(({ route }) => route.open === 'to all');
    // Counted before the caller is found, so that a policy that comes meanwhile is noticed.
    let policy = authority.policies();
    const { authorization } = req.headers;
    if (!open || isToAll) {
      const found = authority[isToAll ? 'visitorOf' : 'senderOf'](authorization, req.socket);
      state.caller = found instanceof Promise ? await found : found;
      if (rates.requests !== undefined && !open) takeOne(rates.requests, state.caller, 'requests');
    }
    if (context.method === 'OPTIONS' && here.length > 0) {
      context.status = 204;
      state.headers['Allow'] = allowed(here);
      return;
    }
    const { route, parameters } = placeFor(here, context.method);
    state.route = route;
    const path = parameters();
    const caller = state.caller ?? anyone;
    const renewed: Call['renewed'] = () => {
      if (policy === authority.policies()) return undefined;
      policy = authority.policies();
      return Promise.resolve().then(() => authority.senderOf(authorization, req.socket));
    };
    const lease = held.open(accountOf(caller), `${req.method} ${req.url}`);
    state.lease = lease;
    const header: Call['header'] = (name) => headerText(req.headers[name]);
    const wish = readWish(route, header, read);
    state.headers['Schemac-Store'] = store;
    const reached = reachPosition(options.engine.store, wish, read, (leave) => onClose(context, leave));
    if (reached !== undefined) await reached;
    if (readsLog(route)) showEntry(state, options.engine.store.turns.position().entry);
    let call = callOf(context, parts, { caller, renewed, header, path, lease, wish });
    let answered: Answered | undefined;
    while (answered === undefined) {
      try {
        answered = await answerCall(route, call, state.target, represent);
      } catch (error) {
        call = { ...call, domain: await nextDomain(options.engine, error) };
      }
    }
    const sent = send(context, route, answered);
    if (sent !== undefined) await sent;
  }

  /** Refuses requests that are too large or come from a forbidden host or origin, and sets the headers that pages of other origins need. */
  function isPreflight({ req, method, state }: Context): boolean {
    checkRequestHead(req, settings.limits);
    const host = askedHost(req);
    checkHost(host);
    const origin = headerText(req.headers.origin);
    const requestMethod = headerText(req.headers['access-control-request-method']);
    if (settings.allowedOrigins.length > 0 || settings.loopbackOrigins === true) vary(state, 'Origin');
    const { headers, preflight } = checkOrigin({ method, origin, host, requestMethod });
    setHeaders(state, headers);
    return preflight;
  }
}

/** Parts that all calls share. */
type CallParts = Pick<Call, 'options' | 'routes' | 'metrics' | 'followers' | 'deliveries' | 'rates'>;

/** Parts of a call that its request decides. */
type OfRequest = Pick<Call, 'caller' | 'renewed' | 'header' | 'path' | 'lease'> & { readonly wish: ReadWish };

function callOf(
  context: Context,
  { options, routes, metrics, followers, deliveries, rates }: CallParts,
  { caller, renewed, header, path, lease, wish }: OfRequest,
): Call {
  const state = context.state as RequestState;
  const { req } = context;
  let body: Promise<JsonObject> | undefined;
  return {
    options,
    domain: options.engine.domain(),
    routes,
    metrics,
    followers,
    deliveries,
    rates,
    whenClosed: (then) => {
      state.whenClosed = then;
    },
    caller,
    renewed,
    path,
    header,
    // Node makes the separate values of all headers at once.
    sent: (name) => (req.headers[name] === undefined ? noValues : (req.headersDistinct[name] ?? noValues)),
    body: (size) => {
      // A call can begin again on another handler table.
      if (body !== undefined) return body;
      invite(context);
      body = readJsonBody(req, options.settings.limits, size);
      return body;
    },
    lines: () => {
      const { commandBytes, requestMilliseconds, stallMilliseconds } = options.settings.limits;
      const limits = { lineBytes: commandBytes, lineMilliseconds: requestMilliseconds, stallMilliseconds };
      refuseCompressed(req);
      keepOwnTime(req);
      state.closesOnError = true;
      invite(context);
      return createLineReader(req, limits, options.time.monotonic);
    },
    isHttp11: req.httpVersionMajor > 1 || req.httpVersionMinor >= 1,
    lease,
    reading: { local: true, shows: (entry) => showEntry(state, entry) },
    isLocal: wish.local,
    log: (fields) => Object.assign(state.logFields, fields),
  };
}

const noValues: readonly string[] = [];

/** Calls back if the client goes before it is answered, until the returned function is called. */
function onClose({ res }: Context, leave: () => void): () => void {
  res.on('close', leave);
  return () => res.off('close', leave);
}

function showEntry({ headers }: RequestState, entry: number): void {
  headers['Schemac-Entry'] = String(entry);
}

/** Asks a client for the body that waits for it: only now is it certain that the request will be read. */
function invite({ req, res, state }: Context): void {
  if (!expectsInvitation(req)) return;
  res.writeContinue();
  delete (state as RequestState).headers['Connection'];
}

/** An empty header counts as absent; only cookies, which are never read, come as lists. */
function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Koa reports one failure both for the stream and for the pipe. */
const reported = new WeakSet<Error>();

/** Koa reports failures here after the headers are sent: the answer was cut. A caller who hung up is not an error. */
function logCut(options: HttpOptions, error: Error & { code?: string }, context: Context | undefined): void {
  const hungUp =
    error instanceof HungUp ||
    error.code === 'ERR_STREAM_PREMATURE_CLOSE' ||
    error.code === 'ECONNRESET' ||
    error.code === 'EPIPE';
  const state = context?.state as RequestState | undefined;
  if (reported.has(error)) return;
  reported.add(error);
  if (hungUp) options.log.debug({ request_id: state?.requestId }, 'the caller hung up');
  else if (error instanceof Busy || error instanceof Problem)
    options.log.warn({ request_id: state?.requestId }, `answer cut: ${error.message}`);
  else options.log.error({ request_id: state?.requestId, err: error }, 'answer cut');
}
