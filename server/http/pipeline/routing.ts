import Router from '@koa/router';
import { namesData, namesStream, pathParameters, type RawParameters } from './path-parameters.ts';
import { Problem } from '../wire/problem.ts';
import type { HttpLimits } from '../settings.ts';
import type { Route } from '../route.ts';

/** The row of the route table for a path. */
export interface Place {
  readonly route: Route;
  /** The decoded parameters of the path. A value that may not be one is refused with 400. */
  readonly parameters: () => Readonly<Record<string, string>>;
}

/** The places at a path of these segments. */
type Find = (path: string, segments: readonly string[]) => readonly Place[];

/**
 * Maximum number of remembered paths. Paths with data are not remembered: there is one for each stream, and remembering one costs as much
 * as finding it.
 */
const remembered = 1000;

/**
 * The places at a path, for any method, by routers that are case-sensitive and strict about slashes; empty for an unknown path. They only
 * find rows and never run handlers, so that exactly the one row of path and method runs.
 */
export function createRouting(routes: readonly Route[], limits: HttpLimits): (path: string) => readonly Place[] {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const group = groupOf(route.path.split('/'));
    groups.set(group, [...(groups.get(group) ?? []), route]);
  }
  const finders = new Map([...groups].map(([group, own]) => [group, createFinder(own, limits)]));
  const ofMany = new Set(routes.filter(namesData));
  const known = new Map<string, readonly Place[]>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const segments = path.split('/');
    const places = finders.get(groupOf(segments))?.(path, segments) ?? [];
    if (places.length === 0 || places.some(({ route }) => ofMany.has(route))) return places;
    if (known.size >= remembered) known.clear();
    known.set(path, places);
    return places;
  };
}

/**
 * A key that a path shares with all routes that it can be at: the number of segments, and the first ones, which are no parameters of any
 * route. A router tries its routes one after the other, and a group has few of them.
 */
function groupOf(segments: readonly string[]): string {
  return `${segments.length} ${segments[1]} ${segments[2] ?? ''}`;
}

function createFinder(routes: readonly Route[], limits: HttpLimits): Find {
  const router = new Router({ sensitive: true, strict: true });
  const rows = new Map(routes.map((route) => [route.name, { route, names: parametersOf(route) }]));
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(path, [route.method], () => undefined, { name: route.name });
  }
  return (path, segments) => {
    const places: Place[] = [];
    for (const layer of router.match(path, 'GET').path) {
      const row = rows.get(layer.name ?? '');
      if (row === undefined) continue;
      const raw = rawParameters(row.names, segments);
      if (namesStream(raw)) places.push(placeOf(row.route, raw, limits));
    }
    return places;
  };
}

function placeOf(route: Route, raw: RawParameters, limits: HttpLimits): Place {
  let decoded: Readonly<Record<string, string>> | undefined;
  return { route, parameters: () => (decoded ??= pathParameters(raw, limits)) };
}

/** The names of the parameters of a path, at the places of their segments. */
function parametersOf({ path }: Route): readonly (string | undefined)[] {
  const names = path.split('/').map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1]);
  if (names.slice(0, 3).some((name) => name !== undefined)) throw new Error(`the first segments of ${path} group it`);
  return names;
}

/** The router's own are decoded leniently. */
function rawParameters(names: readonly (string | undefined)[], segments: readonly string[]): RawParameters {
  const raw: Record<string, string> = {};
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (name !== undefined) raw[name] = segments[index] ?? '';
  }
  return raw;
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
