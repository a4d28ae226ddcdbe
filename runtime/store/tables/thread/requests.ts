import { failedReply } from '../core/failed-reply.ts';
import type { Reply, Request } from '../core/messages.ts';

/** Requests that go to a thread together: each message would wake it by itself. */
export interface Requests {
  /** Sends it with the others of this turn of the event loop. */
  readonly add: (request: Request) => void;
  /** Sends the requests that were added since. */
  readonly send: () => void;
}

/** `post` gets the requests in order; `answer` the reply to one that cannot be copied to the thread, which must not keep the others from it. */
export function createRequests(post: (requests: readonly Request[]) => void, answer: (reply: Reply) => void): Requests {
  let requests: Request[] = [];
  const sendAlone = (request: Request): void => {
    try {
      post([request]);
    } catch (error) {
      if (!('id' in request)) throw error;
      answer(failedReply(request.id, error));
    }
  };
  const send = (): void => {
    const sent = requests;
    requests = [];
    if (sent.length === 0) return;
    try {
      post(sent);
    } catch {
      for (const each of sent) sendAlone(each);
    }
  };
  return {
    add: (request) => {
      if (requests.push(request) === 1) setImmediate(send);
    },
    send,
  };
}
