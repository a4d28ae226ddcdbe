import type { Moment } from '../../../runtime/store/journal/moment.ts';

/** Headers of an answer as of a moment of the past: the position that it shows (docs/http.md#the-past). */
export function asOfHeaders({ position }: Moment): Readonly<Record<string, string>> {
  return { 'schemac-as-of': String(position) };
}
