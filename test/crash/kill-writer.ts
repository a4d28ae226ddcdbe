/**
 * A process to be killed: clients that append as fast as they get answers. Prints `<client> <count>` for each
 * acknowledged command; each client continues from its given count, and sends unacknowledged commands again. After some
 * commands it closes the store, which writes a snapshot, and opens it again, so that kills happen there too. Arguments:
 * directory, counts, fsync.
 */
import { writeSync } from 'node:fs';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { testedEngine } from '../kit/tested-engine.ts';
import { accounts, count, deposit } from '../contract/accounts.ts';

const [directory = '', counts = '[]', fsync = 'true'] = process.argv.slice(2);
const next = JSON.parse(counts) as number[];
/**
 * Writing a snapshot syncs other files too on some file systems, so a store that must lose its writes is never closed.
 */
const commandsPerLife = fsync === 'true' ? 40 : Infinity;

async function main(): Promise<void> {
  for (let life = 0; ; life += 1) {
    const store = await openEmbeddedStore({
      directory,
      readModel: 'inline',
      readEngine: testedEngine(),
      ledgerInMemory: 16,
      rolloverBytes: 64 * 1024,
      snapshotEntries: 2000,
      fsync: fsync === 'true',
    });
    await store.tables.adopt(accounts);
    if (life === 0) writeSync(1, 'open\n');
    await Promise.all(next.map((_, client) => sendCommands(store, client)));
    if (testedEngine() === 'disk') await count(store);
    await store.close();
  }
}

async function sendCommands(store: Store, client: number): Promise<void> {
  for (let sent = 0; sent < commandsPerLife; sent += 1) {
    const count = next[client] ?? 0;
    const to = `A-${client}`;
    const commandId = `${client}-${count}`;
    await store.turns.exclusively(async (turn) => {
      const earlier = await turn.recorded('Account', to, commandId);
      if (earlier === undefined) await deposit(turn, { to, commandId, amount: `${count}.00` });
    });
    writeSync(1, `${client} ${count}\n`);
    next[client] = count + 1;
  }
}

void main();
