/** Waits for a line, tries to open the directory, prints the result, and keeps it open until its input ends. */
import { writeSync } from 'node:fs';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';

process.stdin.once('data', () => {
  openEmbeddedStore({ directory: process.argv[2] ?? '', readModel: 'inline' }).then(
    () => writeSync(1, 'won'),
    (error: unknown) => writeSync(1, error instanceof Error ? error.message : String(error)),
  );
});
process.stdin.on('end', () => process.exit(0));
writeSync(1, '.');
