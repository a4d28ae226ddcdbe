/** A server of a log in PostgreSQL, in this process, whose schema is posted. */
import * as assert from 'uvu/assert';
import { openPostgresStore } from '../../runtime/store/postgres/postgres-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { openSession } from '../../server/session/open-session.ts';
import { createRegistryServices } from '../../server/start/registry-services.ts';
import { sampleOver } from '../http/sample-engine.ts';
import { startSample, type SampleOptions } from '../http/sample-server.ts';
import { firstRow } from '../kit/first-row.ts';

export interface Asked {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface OpenedServer {
  readonly url: string;
  readonly store: Store;
  readonly ask: (path: string, body: object) => Promise<Asked>;
  /** The first row of a table. */
  readonly first: (path: string) => Promise<Record<string, unknown>>;
  /** Sells the items 1 to `times` in a shop. */
  readonly sell: (shop: string, times: number) => Promise<void>;
  readonly create: (lang: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Shops that sell numbered items. */
export const shops = `
CREATE AGGREGATE Shop;
CREATE COMMAND Sell (shop STRING, n INT);
CREATE EVENT Sold (n INT);
CREATE DECISION Selling FOR Shop ON COMMAND Sell EMIT AS SELECT EVENT Sold (n := :n);`;

export async function openServer(
  url: string,
  namespace: string,
  given: Pick<SampleOptions, 'now' | 'push' | 'settings'> = {},
): Promise<OpenedServer> {
  const store = await openPostgresStore({ url, namespace, readModel: 'inline' });
  const session = await openSession({ store, version: '0.1.0' });
  const { engine } = session;
  const services = createRegistryServices(engine, { version: '0.1.0', modules: undefined, warn: () => undefined });
  engine.compileWith(services.follow.compile);
  const server = await startSample({
    services: true,
    ...given,
    again: sampleOver(engine, services, session.close),
  });
  const ask: OpenedServer['ask'] = async (path, body) => {
    const answer = await server.post(`/api/${path}`, body);
    return { status: answer.status, body: (await answer.json()) as Asked['body'] };
  };
  return {
    url: server.url,
    store,
    ask,
    first: (path) => firstRow(`${server.url}/api/${path}`),
    sell: async (shop, times) => {
      for (let n = 1; n <= times; n += 1)
        assert.is((await ask('aggregates/Shop/execute/Sell', { shop, n })).status, 200);
    },
    create: async (lang) => {
      const { status, body } = await ask('lang/create', { lang });
      assert.is(status, 201, JSON.stringify(body));
    },
    stop: server.stop,
  };
}
