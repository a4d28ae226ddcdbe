import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ReadTable } from './arrow-reader.ts';

/** A reader written in Python from the format's description; undefined without Python 3. */
export function openSecondReader(): { read: (bytes: Uint8Array) => Promise<ReadTable>; close: () => void } | undefined {
  if (spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 6))']).status !== 0) {
    console.log('no python3: Arrow streams are read by one reader only');
    return undefined;
  }
  const program = fileURLToPath(new URL('./read_stream.py', import.meta.url));
  const child = spawn('python3', [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: { resolve: (table: ReadTable) => void; reject: (error: Error) => void }[] = [];
  createInterface(child.stdout).on('line', (line) => {
    const { table, error } = JSON.parse(line) as { table?: ReadTable; error?: string };
    const caller = waiting.shift();
    if (table !== undefined) caller?.resolve(table);
    else caller?.reject(new Error(error));
  });
  return {
    read: (bytes) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin.write(`${Buffer.from(bytes).toString('base64')}\n`);
      }),
    close: () => child.stdin.end(),
  };
}
