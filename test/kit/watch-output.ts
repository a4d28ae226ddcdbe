import type { Readable } from 'node:stream';

/** A tool that runs as a process (`startTool`), or in this one (`startToolHere`). */
export interface RunningTool {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly on: (event: 'close', listener: (status: number | null) => void) => unknown;
  readonly once: (event: 'close', listener: (status: number | null) => void) => unknown;
  readonly kill: (signal: NodeJS.Signals) => boolean;
}

/** The output of a running tool, on both streams. */
export interface WatchedOutput {
  /**
   * Resolves with all output since the last call, up to and including `text`, once that was written. Rejects after
   * `milliseconds`.
   */
  readonly until: (text: string, milliseconds?: number) => Promise<string>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Asks the tool to stop, and resolves with its exit status. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export function watchOutput(child: RunningTool): WatchedOutput {
  let seen = '';
  let ended: number | null | undefined;
  let look = (): void => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      seen += text;
      look();
    });
  }
  child.on('close', (status) => {
    ended = status;
    look();
  });
  return {
    until: (text, milliseconds = 60_000) =>
      new Promise((resolve, reject) => {
        const fail = (why: string): void => {
          clearTimeout(timer);
          reject(new Error(`${why} before ${JSON.stringify(text)}; so far: ${seen}`));
        };
        const timer = setTimeout(() => fail(`${milliseconds} ms went by`), milliseconds);
        look = () => {
          const at = seen.indexOf(text);
          if (at >= 0) {
            clearTimeout(timer);
            const found = seen.slice(0, at + text.length);
            seen = seen.slice(at + text.length);
            look = () => undefined;
            resolve(found);
          } else if (ended !== undefined) fail(`the tool ended with ${ended}`);
        };
        look();
      }),
    signal: (signal) => void child.kill(signal),
    stop: (signal = 'SIGTERM') =>
      new Promise((resolve) => {
        if (ended !== undefined) {
          resolve(ended);
          return;
        }
        child.once('close', resolve);
        child.kill(signal);
      }),
  };
}
