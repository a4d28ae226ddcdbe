/**
 * Packets that are dropped between servers and a database, by the routes of a network namespace: neither side gets an error, connections stay half open, and what was sent is
 * sent again when the way is open. Needs root and `ip`; elsewhere a proxy swallows bytes (`silent`), which then never arrive.
 */
import { spawnSync } from 'node:child_process';

const mark = 'SCHEMAC_TEST_OWN_NETWORK';

/** Whether this process is in a network of its own, where routes may be changed. */
export function hasOwnNetwork(): boolean {
  return process.env[mark] === '1';
}

/** Runs this program again, with the same words, in a network of its own; its status, or undefined where that cannot be made. */
export function runInOwnNetwork(): number | undefined {
  // The rule of local addresses moves behind the ones that drop packets.
  const prepare = 'ip link set lo up && ip rule add pref 100 lookup local && ip rule del pref 0';
  const unshare = ['--net', 'sh', '-c'];
  if (process.getuid?.() !== 0 || spawnSync('unshare', [...unshare, prepare]).status !== 0) return undefined;
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const { status } = spawnSync('unshare', [...unshare, `${prepare} && exec "$@"`, 'sh', ...command], {
    stdio: 'inherit',
    env: { ...process.env, [mark]: '1' },
  });
  return status ?? 1;
}

/** Drops packets to, from, or to and from an address of this machine. */
export function dropPackets(direction: 'to' | 'from' | 'both', address: string): void {
  for (const each of ways(direction)) changeRule('add', each, address);
}

export function deliverPackets(direction: 'to' | 'from' | 'both', address: string): void {
  for (const each of ways(direction)) changeRule('del', each, address);
}

function ways(direction: 'to' | 'from' | 'both'): readonly ('to' | 'from')[] {
  return direction === 'both' ? ['to', 'from'] : [direction];
}

function changeRule(change: 'add' | 'del', direction: 'to' | 'from', address: string): void {
  const { status, stderr } = spawnSync('ip', ['rule', change, 'pref', '10', direction, address, 'blackhole'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`ip rule ${change}: ${stderr}`);
}
