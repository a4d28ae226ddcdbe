import { Failure } from '../../../../language/failure/failure.ts';
import { GivenBack } from '../../query.ts';
import { QueryFailure } from '../../query-failure.ts';
import type { Reply } from './messages.ts';
import type { Model } from './model.ts';
import { BrokenModule } from './engine.ts';
import { DamagedFile, UnwritableFile } from '../files/database-file.ts';

export function failedReply(id: number, error: unknown): Reply {
  if (error instanceof GivenBack) return { reply: 'given back', id };
  const message = messageOf(error);
  if (!(error instanceof Failure)) return { reply: 'failed', id, message };
  return { reply: 'failed', id, code: error.code, message, ...(error instanceof QueryFailure && { at: error.at }) };
}

/** State of the tables. */
export function appliedReply({ kept, database }: Pick<Model, 'kept' | 'database'>): Reply {
  return { reply: 'applied', entry: kept.reached().entry, bytes: database.bytes(), unreadable: kept.unreadable() };
}

/** After it the database is not reliable, or has lost its transaction. */
export function isFatal(error: unknown): boolean {
  return error instanceof BrokenModule || error instanceof DamagedFile || error instanceof UnwritableFile;
}

export function brokenReply(error: unknown, message: string): Reply {
  return {
    reply: 'broken',
    message,
    unwritable: error instanceof UnwritableFile,
    damaged: error instanceof DamagedFile,
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
