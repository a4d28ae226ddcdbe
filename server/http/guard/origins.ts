import { Problem } from '../answers/problem.ts';

/** The consequence of a request's origin: nothing, its CORS headers, or a whole preflight answer. */
export interface OriginVerdict {
  readonly headers: Readonly<Record<string, string>>;
  readonly preflight: boolean;
}

const exposed = 'ETag, Idempotent-Replayed, Retry-After, X-Request-Id';
const none: OriginVerdict = { headers: {}, preflight: false };

/**
 * Refuses an `Origin` that is not allowed (403). A page served from this server's own address is not a foreign origin. CORS headers go to
 * allowed origins only; without any, CORS is off.
 */
export function createOriginCheck(
  allowedOrigins: readonly string[],
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
    if (!allowed.has(origin)) throw new Problem(403, 'this Origin is not allowed');
    const headers = { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed };
    if (method !== 'OPTIONS' || requestMethod === undefined) return { headers, preflight: false };
    return { headers: { ...headers, ...preflightHeaders }, preflight: true };
  };
}

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers':
    'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Causation-Id, X-Correlation-Id, X-Request-Id, traceparent',
  'Access-Control-Max-Age': '600',
};
