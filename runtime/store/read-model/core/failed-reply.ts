import { Failure } from '../../../../language/failure/failure.ts';
import type { Reply } from '../thread/messages.ts';

export function failedReply(id: number, error: unknown): Reply {
  const message = messageOf(error);
  return error instanceof Failure
    ? { reply: 'failed', id, code: error.code, message }
    : { reply: 'failed', id, message };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
