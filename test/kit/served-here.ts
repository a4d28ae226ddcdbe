import { Readable } from 'node:stream';
import { withoutSettings, type ToolOptions } from './tool.ts';
import { runInShell } from './tool-here.ts';

export interface ServedHere {
  readonly url: string;
  /** Everything written so far, to both streams. */
  readonly said: () => string;
  /** Stops like SIGTERM; gives the exit status. */
  readonly stop: () => Promise<number>;
}

/** Runs `schemac start` in this process, on a free port; resolves once it is ready. Throws what it says if it ends before. */
export async function serveHere(
  words: readonly string[],
  { cwd, environment = {} }: Required<Pick<ToolOptions, 'cwd'>> & Pick<ToolOptions, 'environment'>,
): Promise<ServedHere> {
  const stop = new AbortController();
  let said = '';
  let serving: (url: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => {
    serving = resolve;
  });
  const ended = runInShell(['start', '--port', '0', ...words], {
    cwd,
    environment: { ...withoutSettings(), ...environment },
    input: Readable.from([]),
    write: (_, text) => {
      said += text;
      const [url] = /http:\S+(?=, data )/.exec(said) ?? [];
      if (url !== undefined) serving(url);
    },
    stop: stop.signal,
  });
  const early = ended.then((status) => Promise.reject(new Error(`the server ended with ${status}: ${said}`)));
  early.catch(() => undefined); // after the start its status counts
  const url = await Promise.race([address, early]);
  while ((await fetch(`${url}/ready`)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    url,
    said: () => said,
    stop: () => {
      stop.abort();
      return ended;
    },
  };
}
