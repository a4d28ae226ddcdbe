import * as posix from 'node:path/posix';
import * as win32 from 'node:path/win32';

/** Form of paths on this machine. */
export const thisPlatform: Platform = process.platform === 'win32' ? 'windows' : 'posix';

export type Platform = 'windows' | 'posix';

/**
 * The path of a `file:` URI as an editor writes it, absolute and normal; undefined for any other scheme, and for what is no URI. Editors on
 * Windows escape the colon of a drive, and differ in the case of its letter: here it is in upper case.
 */
export function pathOfUri(uri: string, platform: Platform = thisPlatform): string | undefined {
  const path = decodedPath(uri);
  if (path === undefined) return undefined;
  if (platform === 'posix') return posix.normalize(path.name);
  const drive = /^\/([A-Za-z]):(.*)$/s.exec(path.name);
  if (drive !== null)
    return win32.normalize(`${drive[1]?.toUpperCase() ?? ''}:${drive[2] === '' ? '/' : (drive[2] ?? '')}`);
  return win32.normalize(path.host === '' ? path.name : `//${path.host}${path.name}`);
}

function decodedPath(uri: string): { readonly host: string; readonly name: string } | undefined {
  if (!/^file:\/\//i.test(uri)) return undefined;
  try {
    const { hostname, pathname } = new URL(uri);
    return { host: hostname, name: decodeURIComponent(pathname) };
  } catch {
    return undefined; // not a URI, or an escape that is no UTF-8
  }
}

/** The `file:` URI of an absolute path, escaped as VS Code does, so that a file has one name in all messages. */
export function uriOfPath(path: string, platform: Platform = thisPlatform): string {
  const slashed = platform === 'windows' ? path.replaceAll('\\', '/') : path;
  const share = platform === 'windows' ? /^\/\/([^/]+)(\/.*)$/.exec(slashed) : null;
  const name = share?.[2] ?? (slashed.startsWith('/') ? slashed : `/${slashed}`);
  const lower = platform === 'windows' ? name.replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase()) : name;
  return `file://${share?.[1] ?? ''}${lower.split('/').map(encodeURIComponent).join('/')}`;
}
