import type { Session } from '../../server/session/session.ts';
import type { RunText } from '../run-statements.ts';
import type { Known } from '../../server/session/known.ts';

/** The other end of a prompt: a session of this process, or a remote server. */
export interface Target {
  /** Shown when the session begins: where it is. */
  readonly greeting: string;
  readonly run: RunText;
  readonly known: () => Known;
  /** The stores that `\store` lists and accepts; a remote server has none. */
  readonly stores?: Session['stores'];
  readonly useStore?: Session['useStore'];
}
