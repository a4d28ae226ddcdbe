import type { SourceFile } from '../language/source/source-file.ts';
import type { StatementOutcome } from '../server/session/outcome.ts';
import type { RunOptions } from '../server/session/session.ts';
import { withProgress } from './progress.ts';
import type { Shell } from './shell.ts';

/** Runs a text: in a session here or in a server, or on a remote server. */
export type RunText = (text: SourceFile, options: RunOptions) => AsyncIterable<StatementOutcome>;

/** Runs a text and gives its outcomes; shows the progress of a long statement on a terminal. */
export async function* runStatements(
  shell: Shell,
  run: RunText,
  text: SourceFile,
  options: RunOptions = {},
): AsyncGenerator<StatementOutcome, void, undefined> {
  let said = 'running';
  const onProgress = (text: string): void => {
    said = text;
  };
  const outcomes = run(text, { ...options, onProgress })[Symbol.asyncIterator]();
  try {
    for (;;) {
      said = 'running';
      const next = await withProgress(
        shell,
        () => said,
        () => outcomes.next(),
      );
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await outcomes.return?.();
  }
}
