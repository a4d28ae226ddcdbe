import type { Journal, JournalEnd } from '../journal.ts';

/** Asks the log for its end, as `createQuestion` does. */
export function createEndQuestion({ fresh }: Pick<Journal, 'fresh'>): () => Promise<JournalEnd> {
  return createQuestion(fresh);
}

/**
 * Sends one question for all callers that came before it was sent. A caller that comes while a question is on its way gets the answer to
 * the next one, since the first may be older than the call.
 */
export function createQuestion<T>(ask: () => Promise<T>): () => Promise<T> {
  let sent: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const send = (): Promise<T> => {
    const question = ask().finally(() => {
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
