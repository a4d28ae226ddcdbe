import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileFiles } from '../../compiler/index.ts';
import { createDomainLoader } from '../../server/registry/load/domain-loader.ts';
import { createRegistryServices } from '../../server/start/registry-services.ts';
import { startRegistry } from '../../server/start/start-registry.ts';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';

const event = (fields: string): string => `CREATE OR REPLACE EVENT Filled (${fields});`;
const schema = (fields: string, field: string): string =>
  `CREATE AGGREGATE Tank; CREATE COMMAND Fill (tank_id STRING, litres INT); ${event(fields)}
   CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (${field} := :litres);`;
const fill = (times: number): string => "EXECUTE Fill(tank_id := 'T-1', litres := 5); ".repeat(times);
const renamed = (count: number): string =>
  `event 'Filled' has 'volume' in place of 'litres'; ${count} events are stored with 'litres' and read NULL for 'volume'; if it is the new name, write UPCAST FROM (litres INT, note STRING) AS (volume := litres) (E0423)`;

/** A session in which five fillings were recorded, by two definitions. */
async function withFillings(work: (session: OpenSession) => Promise<void>): Promise<void> {
  const session = await openSession({ store: await openMemoryStore({ readModel: 'inline' }), version: '0.0.0' });
  const text = `${schema('litres INT', 'litres')} ${fill(3)} ${event('litres INT, note STRING')} ${fill(2)}`;
  assert.equal(await warningsOf(session, text), []);
  await work(session);
  await session.close();
}

async function warningsOf(session: OpenSession, text: string): Promise<readonly string[]> {
  const warnings: string[] = [];
  for await (const outcome of session.run({ name: 'tank.schema', text })) {
    assert.is(outcome.kind === 'error' ? outcome.problems.map(({ message }) => message).join() : '', '');
    warnings.push(...outcome.warnings.map(({ message, code }) => `${message} (${code})`));
  }
  return warnings;
}

/** The warnings of a start with these files. */
async function warningsOfStart({ engine }: OpenSession, text: string): Promise<readonly string[]> {
  const { catalog } = compileFiles([{ name: 'tank.schema', text }]);
  const domain = await createDomainLoader({ version: '0.0.0' }).load(catalog);
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const accept = 'files';
  await startRegistry({
    store: engine.store,
    domain,
    version: '0.0.0',
    modules: undefined,
    readOnly: true,
    accept,
    warn,
  });
  return warnings;
}

test('a start with files that rename a field warns with the events of all versions', () =>
  withFillings(async (session) => {
    assert.equal(await warningsOfStart(session, schema('volume INT', 'volume')), [
      "event 'Filled' no longer stores 'note'; 2 events are stored with it, and it is no longer read (E0424)",
      renamed(5),
    ]);
    assert.equal(await warningsOfStart(session, schema('litres INT, note STRING', 'litres')), []);
  }));

test('a session warns when a field is lost, and not again later', () =>
  withFillings(async (session) => {
    const change = `DROP DECISION Pour; ${event('volume INT, note STRING')}`;
    assert.equal(await warningsOf(session, change), [renamed(5)]);
    const fields = 'volume INT, note STRING, full BOOLEAN';
    const decision = schema(fields, 'volume').split(';').at(-2) ?? '';
    assert.equal(await warningsOf(session, `${event(fields)} ${decision}; ${fill(1)}`), []);
    assert.equal(await warningsOfStart(session, schema(fields, 'volume')), []);
  }));

test('posted schema is created, and the warning is logged', () =>
  withFillings(async ({ engine }) => {
    const warnings: string[] = [];
    const warn = (message: string): void => void warnings.push(message);
    const services = createRegistryServices(engine, { version: '0.0.0', modules: undefined, warn });
    const decision = schema('', 'volume').split(';').at(-2)?.replace('CREATE', 'CREATE OR REPLACE') ?? '';
    await services.create(`${event('volume INT, note STRING')} ${decision};`);
    assert.equal(warnings, [`posted schema: 1:33 ${renamed(5)}`]);
  }));

test.run();
