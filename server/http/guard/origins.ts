import { Problem } from '../wire/problem.ts';

/** The consequence of a request's origin: nothing, its CORS headers, or a whole preflight answer. */
export interface OriginVerdict {
  readonly headers: Readonly<Record<string, string>>;
  readonly preflight: boolean;
}

const exposed =
  'ETag, Idempotent-Replayed, Preference-Applied, Retry-After, Schemac-Entry, Schemac-Lease, Schemac-Lease-Until, Schemac-Store, Schemac-Total, X-Request-Id';
const none: OriginVerdict = { headers: {}, preflight: false };

/** A page of this machine, as browsers write its origin: neither a name below `localhost` nor `null`. */
const loopbackOrigin = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/**
 * Refuses an `Origin` that is not allowed (403). A page served from this server's own address is not a foreign origin. CORS headers go to
 * allowed origins only, to those of the loopback if `loopback` is set; without any, CORS is off.
 */
export function createOriginCheck(
  allowedOrigins: readonly string[],
  loopback = false,
): (request: {
  readonly method: string;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly requestMethod: string | undefined;
}) => OriginVerdict {
  const allowed = new Set(allowedOrigins);
  return ({ method, origin, host, requestMethod }) => {
    if (origin === undefined) return none;
    if (host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)) return none;
    if (!allowed.has(origin) && !(loopback && loopbackOrigin.test(origin))) throw new Problem('H4032', refusal);
    const headers = { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed };
    if (method !== 'OPTIONS' || requestMethod === undefined) return { headers, preflight: false };
    return { headers: { ...headers, ...preflightHeaders }, preflight: true };
  };
}

const refusal =
  'this Origin is not allowed; http.allowedOrigins in the configuration names the origins whose pages may call';

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers':
    'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, Schemac-Consistency, Schemac-Min-Entry, X-Causation-Id, X-Correlation-Id, X-Request-Id, traceparent',
  'Access-Control-Max-Age': '600',
};
