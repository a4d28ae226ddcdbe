import type { Journal, JournalEnd } from '../journal.ts';

/**
 * Asks the log for its end: one question for all callers that came before it was sent. A caller that comes while a
 * question is on its way gets the answer to the next one, since the first may be older than the call.
 */
export function createEndQuestion({ fresh }: Pick<Journal, 'fresh'>): () => Promise<JournalEnd> {
  let sent: Promise<JournalEnd> | undefined;
  let next: Promise<JournalEnd> | undefined;
  const send = (): Promise<JournalEnd> => {
    const question = fresh().finally(() => {
      if (sent === question) sent = undefined;
    });
    sent = question;
    return question;
  };
  return () => {
    if (sent === undefined) return send();
    next ??= sent
      .catch(() => undefined) // those that asked before got it
      .then(() => {
        next = undefined;
        return send();
      });
    return next;
  };
}
