import Router from '@koa/router';
import { namesStream } from '../request/path-parameters.ts';
import { Problem } from '../answers/problem.ts';
import type { Route } from './route.ts';

/** The row of the route table for a path, with the raw parameters of the path. */
export interface Place {
  readonly route: Route;
  readonly raw: Readonly<Record<string, string>>;
}

/** Maximum number of remembered paths: a path that is requested again is not parsed again. */
const remembered = 1000;

/**
 * The places at a path, for any method, by a router that is case-sensitive and strict about slashes; empty for an unknown path. The router
 * only finds rows and never runs handlers, so that exactly the one row of path and method runs.
 */
export function createRouting(routes: readonly Route[]): (path: string) => readonly Place[] {
  const router = new Router({ sensitive: true, strict: true });
  const byName = new Map(routes.map((route) => [route.name, route]));
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(path, [route.method], () => undefined, { name: route.name });
  }
  const find = (path: string): readonly Place[] =>
    router
      .match(path, 'GET')
      .path.map((layer) => byName.get(layer.name ?? ''))
      .filter((route) => route !== undefined)
      .map((route) => ({ route, raw: rawParameters(route, path) }))
      .filter(({ raw }) => namesStream(raw));
  const known = new Map<string, readonly Place[]>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const places = find(path);
    if (known.size >= remembered) known.clear();
    known.set(path, places);
    return places;
  };
}

/** The raw parameters of the path; the router's own are decoded leniently. */
function rawParameters(route: Route, path: string): Readonly<Record<string, string>> {
  const segments = path.split('/');
  const found: [string, string][] = [];
  route.path.split('/').forEach((segment, index) => {
    if (segment.startsWith('{')) found.push([segment.slice(1, -1), segments[index] ?? '']);
  });
  return Object.fromEntries(found);
}

/** 404 for an unknown path, 405 for a method that the path does not have; else the place. */
export function placeFor(places: readonly Place[], method: string): Place {
  if (places.length === 0) throw new Problem('H4041', 'there is no resource at this path');
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = places.find(({ route }) => route.method === wanted);
  if (found === undefined)
    throw new Problem('H4051', `${method} is not allowed here; allowed: ${allowed(places)}`, {
      Allow: allowed(places),
    });
  return found;
}

/** The value of `Allow`. */
export function allowed(places: readonly Place[]): string {
  const methods = new Set<string>(places.map(({ route }) => route.method));
  return [...(methods.has('GET') ? ['GET', 'HEAD'] : []), ...(methods.has('POST') ? ['POST'] : []), 'OPTIONS'].join(
    ', ',
  );
}
