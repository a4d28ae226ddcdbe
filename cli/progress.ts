import type { Shell } from './shell.ts';

const patience = 1000;
const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** Shows on a terminal that work continues, once it has taken a second; removes the line at its end. */
export async function withProgress<T>(shell: Shell, what: string | (() => string), work: () => Promise<T>): Promise<T> {
  const { messages, environment } = shell;
  if (!messages.terminal || (environment['CI'] ?? '') !== '') return work();
  const began = performance.now();
  let turn = 0;
  const timer = setInterval(() => {
    const seconds = (performance.now() - began) / 1000;
    if (seconds * 1000 < patience) return;
    messages.write(
      `\r${frames[turn++ % frames.length] ?? ''} ${typeof what === 'string' ? what : what()}, ${seconds.toFixed(0)} s \u001b[K`,
    );
  }, 100);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (turn > 0) messages.write('\r\u001b[K');
  }
}
