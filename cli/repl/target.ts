import type { Session } from '../../server/session/session.ts';
import type { RunText } from '../run-statements.ts';
import type { Known } from '../../server/session/known.ts';

/** What a prompt talks to: a session of this process, or a server far away. */
export interface Target {
  /** Shown when the session begins: where it is. */
  readonly greeting: string;
  readonly run: RunText;
  readonly known: () => Known;
  /** What `\store` lists and takes; a server far away has none. */
  readonly stores?: Session['stores'];
  readonly useStore?: Session['useStore'];
}
