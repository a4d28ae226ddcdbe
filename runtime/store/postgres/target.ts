import { fail } from '../../../language/failure/failure.ts';

/** The database of a URL, with the two forms in which it may be shown. */
export interface Target {
  readonly url: string;
  /** Host, port and database, without a password. */
  readonly shown: string;
  /** The text, without the password of the URL: libraries and servers may quote what they were given. */
  readonly conceal: (text: string) => string;
}

/** Throws R0501 for a text that is no URL of PostgreSQL, without quoting it, because it may contain a password. */
export function readTarget(url: string, setting: string): Target {
  const parsed = parse(url);
  if (parsed === undefined)
    throw fail('R0501', {
      store: setting,
      problem: 'this is not a URL such as postgres://user:password@host:5432/database',
    });
  const { hostname, port, pathname, searchParams, username, password } = parsed;
  const host = searchParams.get('host') ?? hostname;
  const database = decoded(pathname.slice(1)) || decoded(username) || 'postgres';
  const secrets = [password, decoded(password), searchParams.get('password') ?? ''].filter((text) => text !== '');
  return {
    url,
    shown: `${host}:${port === '' ? '5432' : port}/${database}`,
    conceal: (text) => secrets.reduce((kept, secret) => kept.replaceAll(secret, '****'), text),
  };
}

function parse(url: string): URL | undefined {
  if (!/^postgres(ql)?:\/\//i.test(url)) return undefined;
  try {
    // The class knows no default host for other protocols than its own.
    return new URL(url.replace(/^postgres(ql)?:\/\/(?=\/)/i, '$&localhost'));
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
