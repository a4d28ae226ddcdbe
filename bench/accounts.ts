/** The domain for run-time figures, and ways to fill stores of it. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import {
  compileFiles,
  createFileHost,
  emitProject,
  exportRegistry,
  writeFiles,
  type Catalog,
} from '../compiler/index.ts';
import type { Domain } from '../language/contract/domain.ts';
import type { ReadEngine } from '../language/contract/read-model.ts';
import { createReactingEngine } from '../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../runtime/engine/engine.ts';
import { createSystemRandom } from '../runtime/engine/system-random.ts';
import { createDomainLoader } from '../server/registry/load/domain-loader.ts';
import { systemClock } from '../runtime/store/disk/node-disk.ts';
import { openEmbeddedStore } from '../runtime/store/embedded/embedded-store.ts';
import { ExactNumber, type JsonObject } from '../language/values/json.ts';

export const accounts = `
CREATE AGGREGATE Account (id STRING KEY, balance INT DEFAULT 0 AS SUM(data.amount));
CREATE COMMAND Deposit (id STRING, amount INT, teller STRING);
CREATE EVENT Deposited (amount INT, teller STRING);
CREATE DECISION DoDeposit FOR Account ON COMMAND Deposit
STATE AS SELECT SUM(data.amount) AS balance FROM Reg."Account$Events" WHERE stream_id = :id
EMIT AS SELECT EVENT Deposited (amount := :amount, teller := :teller) WHERE :amount > 0 AND COALESCE(balance, 0) >= 0;
CREATE PROJECTION Balances AS
SELECT stream_id AS id, SUM(data.amount) AS balance, COUNT(*) AS moves FROM Reg."Account$Events" GROUP BY stream_id;
CREATE PROJECTION Total AS SELECT SUM(data.amount) AS balance, COUNT(*) AS moves FROM Reg."Account$Events";
CREATE PROJECTION Tellers AS
SELECT COUNT(DISTINCT data.teller) AS tellers, COUNT(DISTINCT stream_id) AS streams FROM Reg."Account$Events";
`;

function compiled(more = ''): Catalog {
  const { catalog, diagnostics } = compileFiles([{ name: 'accounts.schema', text: accounts + more }]);
  const wrong = diagnostics.find(({ severity }) => severity === 'error');
  if (wrong !== undefined) throw new Error(wrong.message);
  return catalog;
}

export function domainOf(): Promise<Domain> {
  return createDomainLoader({ version: '0.0.0' }).load(compiled());
}

/** The generated server, for `schemac start`, with more blocks such as an event store; gives its folder. */
export async function generatedServer(folder: string, more = ''): Promise<string> {
  const out = mkdtempSync(join(folder, 'generated-'));
  const catalog = compiled(more);
  writeFiles(
    createFileHost(out),
    await emitProject(catalog, { version: '0.0.0', exportText: exportRegistry(catalog) }),
  );
  return out;
}

/** An engine over a durable store in that directory, with its registry in the log as a server would write it. */
export async function openEngine(
  domain: Domain,
  directory: string,
  readEngine: ReadEngine = 'memory',
): Promise<Engine> {
  const store = await openEmbeddedStore({
    directory,
    readEngine,
    ...(readEngine === 'memory' && { maxBytes: Infinity }),
  });
  const engine = await createReactingEngine({ store, domain, clock: systemClock, randomBytes: createSystemRandom() });
  if (store.turns.position().entry === 0) {
    const changes = domain.blocks.map((block) => ({
      change: 'put' as const,
      block: block.kind,
      name: block.name,
      text: block.text,
    }));
    await engine.adopt(domain, { kind: 'schema', origin: 'files', changes });
  }
  return engine;
}

const five = new ExactNumber('5');

export function deposit(engine: Engine, stream: string, number: number): Promise<unknown> {
  const given: JsonObject = new Map<string, string | ExactNumber>([
    ['id', stream],
    ['amount', five],
    ['teller', `teller ${number % 97}`],
  ]);
  return engine.execute({ command: 'Deposit', arguments: given });
}

/** Executes that many commands with the given number in flight; gives ms. */
export async function depositMany(
  engine: Engine,
  many: number,
  inFlight: number,
  streamOf: (number: number) => string,
): Promise<number> {
  let next = 0;
  const start = performance.now();
  const client = async (): Promise<void> => {
    for (let number = next++; number < many; number = next++) await deposit(engine, streamOf(number), number);
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  return performance.now() - start;
}
