import type { SourceFile } from '../language/source/source-file.ts';
import { inputFault } from './exit-fault.ts';
import type { Shell } from './shell.ts';

const mostBytes = 10 * 1024 * 1024 + 1;

/** All of stdin as a text named `stdin`. */
export async function readInput(shell: Shell): Promise<SourceFile> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of shell.input as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    total += chunk.length;
    if (total > mostBytes) throw inputFault('stdin is larger than 10 MiB');
  }
  try {
    return { name: 'stdin', text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    throw inputFault('stdin is not UTF-8 text');
  }
}
