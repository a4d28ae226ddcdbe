import { readFileSync } from 'node:fs';

/** Bytes of memory of a process (this one without a number). Reads `/proc`, otherwise uses Node's own figure. */
export function residentBytes(process_: number | 'self' = 'self'): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${process_}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return process.memoryUsage().rss;
  }
}

/** Reads a whole answer as fast as possible, and watches the growth of the server's memory, in bytes. */
export async function rowsPerSecond(
  url: string,
  server: number,
  rows: number,
): Promise<{ readonly rate: number; readonly growth: number }> {
  const before = residentBytes(server);
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, residentBytes(server));
  }, 20);
  const start = performance.now();
  const answer = await fetch(url, { headers: { accept: 'application/vnd.apache.arrow.stream' } });
  if (!answer.ok || answer.body === null) throw new Error(`${url} answered ${answer.status}`);
  let bytes = 0;
  for await (const chunk of answer.body) bytes += (chunk as Uint8Array).length;
  const milliseconds = performance.now() - start;
  clearInterval(watch);
  if (bytes < rows * 8) throw new Error(`${url} gave only ${bytes} bytes`);
  return { rate: (rows * 1000) / milliseconds, growth: highest - before };
}
