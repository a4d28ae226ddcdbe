/**
 * The codes of refusals that HTTP itself makes. A refusal by the domain has the code of its failure (`language/failure/catalogue.ts`).
 * The first three digits are the status. The table in docs/http.md#errors is made from both.
 */
export interface RefusalEntry {
  readonly status: number;
  readonly title: string;
}

export const refusals = {
  H4001: { status: 400, title: 'malformed request' },
  H4002: { status: 400, title: 'invalid path' },
  H4003: { status: 400, title: 'invalid query parameters' },
  H4004: { status: 400, title: 'invalid header' },
  H4005: { status: 400, title: 'invalid body' },
  H4006: { status: 400, title: 'schema does not compile' },
  H4007: { status: 400, title: 'query is not answered' },
  H4008: { status: 400, title: 'repeated column names' },
  H4011: { status: 401, title: 'credentials required' },
  H4031: { status: 403, title: 'right missing' },
  H4032: { status: 403, title: 'origin not allowed' },
  H4033: { status: 403, title: 'statement not allowed' },
  H4041: { status: 404, title: 'no such resource' },
  H4042: { status: 404, title: 'no such stream' },
  H4043: { status: 404, title: 'no such recorded table' },
  H4044: { status: 404, title: 'no such parked row' },
  H4045: { status: 404, title: 'no row to send' },
  H4046: { status: 404, title: 'no such task' },
  H4051: { status: 405, title: 'method not allowed' },
  H4061: { status: 406, title: 'no acceptable form' },
  H4081: { status: 408, title: 'request took too long' },
  H4091: { status: 409, title: 'position beyond the end' },
  H4092: { status: 409, title: 'rows no longer held' },
  H4093: { status: 409, title: 'subscriptions not served here' },
  H4094: { status: 409, title: 'not for this way of delivery' },
  H4095: { status: 409, title: 'reactions not answered here' },
  H4131: { status: 413, title: 'body too large' },
  H4141: { status: 414, title: 'URL too long' },
  H4151: { status: 415, title: 'unsupported body' },
  H4211: { status: 421, title: 'host not served' },
  H4291: { status: 429, title: 'too many inspected commands' },
  H4292: { status: 429, title: 'caller over its rate' },
  H4311: { status: 431, title: 'headers too large' },
  H5001: { status: 500, title: 'internal error' },
  H5031: { status: 503, title: 'no room for the result' },
  H5032: { status: 503, title: 'server not ready' },
  H5033: { status: 503, title: 'keys of tokens not available' },
  H5034: { status: 503, title: 'too many open files' },
  H5035: { status: 503, title: 'too many streams' },
  H5036: { status: 503, title: 'entries not there yet' },
  H5051: { status: 505, title: 'HTTP/1.1 needed' },
} as const satisfies Readonly<Record<string, RefusalEntry>>;

export type RefusalCode = keyof typeof refusals;
