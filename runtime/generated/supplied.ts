/** All values that generated modules call, under the names by which they import them from `schemac/runtime`. */
import { sql as expressions } from '../../language/values/sql.ts';
import { isIn } from './is-in.ts';
import * as read from './read.ts';
import { streamId } from './stream-id.ts';
import * as sums from './sums.ts';
import * as write from './write.ts';

export { defineDomain } from './define-domain.ts';
export { defineFold } from './define-fold.ts';
export { defineState } from './define-state.ts';
export { read, write };

/** Everything that printed expressions call. */
export const sql = { ...expressions, ...sums, isIn, streamId } as const;
