import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { namesStream } from './path-parameters.ts';
import { Problem } from './problem.ts';
import type { Route } from './route.ts';

/** Routes by the methods they have at a request's path; empty where nothing is there. */
export interface Routing {
  readonly at: (path: string) => readonly Route[];
  readonly middleware: Middleware;
}

/**
 * The router of a route table: case-sensitive and strict about slashes. `handle` is called for the one row that method and path
 * name, with the path's raw parameters; nothing else is ever reached.
 */
export function createRouting(
  routes: readonly Route[],
  handle: (context: Context, route: Route, raw: Readonly<Record<string, string>>) => Promise<void>,
): Routing {
  const router = new Router({ sensitive: true, strict: true });
  const byName = new Map(routes.map((route) => [route.name, route]));
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(path, [route.method], (context) => handle(context, route, rawParameters(route, context.path)), {
      name: route.name,
    });
  }
  const at = (path: string): readonly Route[] =>
    router
      .match(path, 'GET')
      .path.map((layer) => byName.get(layer.name ?? ''))
      .filter((route): route is Route => route !== undefined && namesStream(rawParameters(route, path)));
  return { at, middleware: router.routes() as unknown as Middleware };
}

/** The parameters as they stand in the path; the router's own are decoded leniently. */
function rawParameters(route: Route, path: string): Readonly<Record<string, string>> {
  const segments = path.split('/');
  const found: [string, string][] = [];
  route.path.split('/').forEach((segment, index) => {
    if (segment.startsWith('{')) found.push([segment.slice(1, -1), segments[index] ?? '']);
  });
  return Object.fromEntries(found);
}

/** 404 where nothing is, 405 where the method is not among those that are; else the row. */
export function routeFor(routes: readonly Route[], method: string): Route {
  if (routes.length === 0) throw new Problem(404, 'there is nothing at this path');
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = routes.find((route) => route.method === wanted);
  if (found === undefined)
    throw new Problem(405, `${method} is not taken here; ${allowed(routes)} are`, { Allow: allowed(routes) });
  return found;
}

/** The value of `Allow`. */
export function allowed(routes: readonly Route[]): string {
  const methods = new Set<string>(routes.map((route) => route.method));
  return [...(methods.has('GET') ? ['GET', 'HEAD'] : []), ...(methods.has('POST') ? ['POST'] : []), 'OPTIONS'].join(
    ', ',
  );
}
