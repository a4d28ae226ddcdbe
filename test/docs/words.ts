/** Turns that a reader has to read twice, each with the plain word for it. A pattern matches whole words, in any case. */
export const turns: readonly (readonly [pattern: string, instead: string])[] = [
  ['whoever|whomever|whatsoever', 'the noun: the caller, the reader, any …'],
  ['somebody|someone', 'the noun: a caller, a process, a person'],
  ['nobody|no one', 'no caller, no process, nothing'],
  ['anybody|anyone|everybody|everyone', 'any caller, all users'],
  ['anew', 'again'],
  ['no more(?! than| of| bytes| fraction)', 'no longer'],
  ['any more(?! than)', 'no longer'],
  ['for ever', 'forever'],
  ['shall|shalt', 'must, will'],
  ['of late', 'recently'],
  ['heed|heeds|heeded', 'use, watch'],
  ['foresee|foresees|foreseen|foresaw', 'predict, apply ahead'],
  ['in the midst', 'in the middle, during'],
  ['thereupon|henceforth|hitherto|betimes|whence|thence|wherein|whereupon|lest|ere|nought|aught', 'a word of today'],
  ['stands|stood|stand(?! for)', 'is, are'],
  ['told', 'reported, said, known'],
  ['held against|hold against|holds against', 'compared with, checked against'],
  ['passed over|pass over|passes over', 'ignored, skipped'],
  ['let go|lets go|letting go', 'released, closed'],
  ['laid down|lay down|lays down', 'written'],
  ['stamped out|stamps out|stamp out', 'created, expanded to'],
  ['at fault', 'wrong, with errors'],
  ['at hand', 'here, available'],
  ['but for', 'except'],
];

/** Places that quote, by path and part of the text. */
export const quotations: readonly (readonly [path: string, part: string])[] = [];
