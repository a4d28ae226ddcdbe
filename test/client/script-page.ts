import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { withServer } from '../kit/http.ts';
import { withPage } from './chromium.ts';

/** A page of an origin of its own. */
export interface ScriptPage {
  readonly origin: string;
  /** Opens the page with this module, and resolves with the JSON that the module posts to `/done`. */
  readonly run: (script: string) => Promise<unknown>;
}

/** Serves a page on a free port of the loopback while `work` runs. */
export function withScriptPage<T>(program: string, work: (page: ScriptPage) => Promise<T>): Promise<T> {
  let script = '';
  let done: (report: unknown) => void;
  const report = new Promise((resolve) => (done = resolve));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/done') done(JSON.parse(await text(request)));
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>');
  };
  return withServer(
    (request, response) => void answer(request, response),
    (origin) =>
      work({
        origin,
        run: (given) => {
          script = given;
          return withPage(program, origin, report);
        },
      }),
  );
}
