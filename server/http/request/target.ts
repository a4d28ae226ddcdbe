/** The path of a request as it was sent, and its query. */
export interface Target {
  readonly path: string;
  /** Without the `?`; empty if there is none. */
  readonly querystring: string;
}

/**
 * The path and query of a request line. It takes every text: Koa reads them with Node's parser of URLs, which gives no path for `http://` and
 * throws for `http://[`, and that even where the line of the log is made, after the answer.
 */
export function targetOf(url: string): Target {
  const own = url.startsWith('/') ? url : withoutOrigin(url);
  // A fragment is refused; until then nothing of it is a path, and nothing behind it is logged.
  const end = own.search(/[?#]/);
  if (end < 0) return { path: own, querystring: '' };
  return { path: own.slice(0, end), querystring: own[end] === '?' ? own.slice(end + 1) : '' };
}

/** A request line may have a whole URL, whose host counts alone (`askedHost`). */
function withoutOrigin(url: string): string {
  const [origin] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url) ?? [];
  if (origin === undefined) return url;
  const rest = url.slice(origin.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
