/**
 * A process to be killed: clients that append as fast as they are answered. Prints `<client> <count>` for each acknowledged command;
 * each client goes on from the count it is given, sending again what was not acknowledged. Arguments: directory, counts.
 */
import { writeSync } from 'node:fs';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { deposit } from '../contract/accounts.ts';

async function main(): Promise<void> {
  const [directory = '', counts = '[]'] = process.argv.slice(2);
  const store = await openEmbeddedStore({ directory, readModel: 'inline', rolloverBytes: 64 * 1024 });
  writeSync(1, 'open\n');
  const client = async (number: number, from: number): Promise<void> => {
    for (let count = from; ; count += 1) {
      const to = `A-${number}`;
      const commandId = `${number}-${count}`;
      await store.exclusively(async (turn) => {
        const earlier = await turn.recorded('Account', to, commandId);
        if (earlier === undefined) await deposit(turn, { to, commandId, amount: `${count}.00` });
      });
      writeSync(1, `${number} ${count}\n`);
    }
  };
  await Promise.all((JSON.parse(counts) as number[]).map((from, number) => client(number, from)));
}

void main();
