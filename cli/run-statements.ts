import type { SourceFile } from '../language/source/source-file.ts';
import type { StatementOutcome } from '../server/session/outcome.ts';
import type { RunOptions } from '../server/session/session.ts';
import { withProgress } from './progress.ts';
import type { Shell } from './shell.ts';

/** Whatever runs a text: a session here or in a server, or a server far away. */
export type RunText = (text: SourceFile, options: RunOptions) => AsyncIterable<StatementOutcome>;

/** Runs a text and gives its outcomes; a statement that takes long says on a terminal how far it has come. */
export async function* runStatements(
  shell: Shell,
  run: RunText,
  text: SourceFile,
  options: RunOptions = {},
): AsyncGenerator<StatementOutcome, void, undefined> {
  let said = 'running';
  const onProgress = (told: string): void => {
    said = told;
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
