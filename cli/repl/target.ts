import type { SourceFile } from '../../compiler/source/source-file.ts';
import type { StatementOutcome } from '../../runtime/session/outcome.ts';
import type { Known } from './known.ts';

/** What a prompt talks to: a session of this process, or a server far away. */
export interface Target {
  /** Shown when the session begins: where it is. */
  readonly greeting: string;
  readonly run: (text: SourceFile, options: { readonly keepGoing: boolean }) => AsyncIterable<StatementOutcome>;
  readonly known: () => Known;
  /** `\store name`; without a name, the names. */
  readonly useStore?: (name: string | undefined) => Promise<string>;
}
