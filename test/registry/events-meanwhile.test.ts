/** Events that are stored while a change of their definition is checked, built and put in force: nothing is adopted that cannot read them. */
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { trustedJson } from '../../language/values/json-value.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { openSession } from '../../server/session/open-session.ts';
import { createRegistryServices } from '../../server/start/registry-services.ts';

/** Where the event comes in: behind a question of the change to the store. */
const moments = {
  'after the stored versions were counted': (inner, work) => ({
    log: {
      ...inner.log,
      eventKinds: async () => {
        const kinds = await inner.log.eventKinds();
        await work();
        return kinds;
      },
    },
  }),
  'after the clauses were tried': (inner, work) => ({
    log: {
      ...inner.log,
      async *read(from) {
        yield* inner.log.read(from);
        await work();
      },
    },
  }),
  'before the tables are built': (inner, work) => ({
    tables: {
      ...inner.tables,
      prepare: async (...given) => {
        await work();
        return inner.tables.prepare(...given);
      },
    },
  }),
  'after the tables were built': (inner, work) => ({
    tables: {
      ...inner.tables,
      prepare: async (...given) => {
        const swap = await inner.tables.prepare(...given);
        await work();
        return swap;
      },
    },
  }),
} as const satisfies Readonly<Record<string, (inner: Store, work: () => Promise<void>) => Partial<Store>>>;

const box = (event: string, value: string): string => `CREATE OR REPLACE EVENT Added ${event};
CREATE OR REPLACE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (${value});`;
const upcast = box('(m INT) UPCAST FROM (n INT) AS (m := 10 / n)', 'm := :n');
const fails = 'event 2 \\(Box a, seq 2\\): division by zero; nothing was changed';
const firstFails = fails.replace('2', '1').replace('seq 2', 'seq 1');

for (const [what, earlier, change, value, answer, shown] of [
  ['a clause that fails on it', [1], upcast, 0, fails, [{ n: 1 }, { n: 0 }]],
  ['a clause that fails on it, the first event', [], upcast, 0, firstFails, [{ n: 0 }]],
  ['a clause that reads it', [1], upcast, 5, 'created', [{ m: 10 }, { m: 2 }]],
  ['a type that it forbids', [], box('(n STRING)', "n := 'x'"), 0, 'version 1 \\(1 event\\) reads', [{ n: 0 }]],
] as const)
  for (const [moment, behind] of Object.entries(moments)) {
    // Without a clause nothing is tried.
    if (moment === 'after the clauses were tried' && what === 'a type that it forbids') continue;
    test(`${what}, ${moment}`, async () => {
      let work: (() => Promise<void>) | undefined;
      const once = async (): Promise<void> => {
        const now = work;
        work = undefined;
        await now?.();
      };
      const inner = await openMemoryStore({ readModel: 'inline' });
      const session = await openSession({ store: { ...inner, ...behind(inner, once) }, version: '0.0.0' });
      const { engine } = session;
      const put = async (n: number): Promise<void> => {
        const given = trustedJson(`{"id": "a", "n": ${n}}`) as JsonObject;
        assert.is(unmasked(await engine.execute({ command: 'Put', arguments: given })).outcome, 'emitted');
      };
      const text = `CREATE AGGREGATE Box; CREATE COMMAND Put (id STRING, n INT); ${box('(n INT)', 'n := :n')} SELECT 1;`;
      for await (const outcome of session.run({ name: 'box', text })) assert.is.not(outcome.kind, 'error');
      for (const n of earlier) await put(n);

      const services = createRegistryServices(engine, { version: '0.0.0', modules: undefined, warn: () => undefined });
      await services.live();
      work = () => put(value);
      const answered = await services.create(change).then(JSON.stringify, String);
      assert.is(work, undefined, 'no event came in');
      assert.match(answered, new RegExp(answer));

      const selection = { relation: 'Box$Events', columns: ['data'], filters: [], order: [] };
      const { query, parameters } = await services.select(engine.domain(), selection);
      const { rows } = unmasked(await engine.query(query, parameters, {}));
      assert.equal(
        rows.map(([data]) => Object.fromEntries(data as ReadonlyMap<string, unknown>)),
        shown,
      );
      await session.close();
    });
  }

test.run();
