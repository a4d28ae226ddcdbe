/** Phrases that are hard to read, each with the plain word for it. A pattern matches whole words, in any case. */
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
  ['in (?:the|its|their) midst', 'in the middle, during'],
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
  ['one likes', 'any number, as needed'],
  ['(?:is|are|be|was|were) had', 'is available'],
  ['of ours|of our own', 'this project, its own'],
  ['hears? of|heard of', 'is called for, learns'],
  ['lead astray|leads astray', 'cause a wrong result'],
  ['in full flight', 'under load, while it runs'],
  ['comes? about|came about', 'occurs, happens'],
  ['what (?:came|comes|becomes|became) of', 'the outcome of'],
  ['comes? to nothing|came to nothing', 'has no effect'],
  ['such an? one', 'the noun again'],
  ['by hand of|from the hand', 'by'],
  ['goes by|went by', 'uses, follows'],
  ['once and for all', 'permanently'],
  ['whatever comes', 'in any case'],
  ['(?<![-/])besides?(?!-)', 'next to, as well as, in addition to, compared with, while'],
  ['likewise', 'in the same way'],
  ['of (?:then|now)', 'of that moment, past, present, of today'],
  ['who asks?', 'the caller'],
  ['gone on with', 'continued'],
];

/** Phrases of comments alone: pages and messages have the number, or speak of a thing that continues. */
export const turnsOfComments: readonly (readonly [pattern: string, instead: string])[] = [
  ['so (?:many|much)(?! (?:\\w+ )?that)', 'the number, or the name of the value that has it'],
  ['(?:goes|go|going|gone|went) on', 'continues'],
];

/** First words of a comment that leave it without a subject. A comment begins with a noun, or with a verb in the third person. */
export const openings: readonly (readonly [pattern: string, instead: string])[] = [
  ['What|How|Who', 'the noun: the outcome, the number, the time, the reason'],
  ['Of', 'a noun or a verb before it'],
  ['The same', 'the name of the other thing, or the whole sentence'],
  ['It|They|Those', 'the noun'],
  ['Ones?', 'a, or the noun'],
  ['So (?:many|much|few|long)|As (?:many|much|long)', 'number of, maximum of, time'],
];

/** Quotations, by path and a part of the text. */
export const quotations: readonly (readonly [path: string, part: string])[] = [
  // Names of figures, by which runs are compared with earlier ones.
  ['bench/figures/past-beside.ts', 'commands beside a projection'],
  ['bench/figures/shared-log-history.ts', 'a server with its file resumes beside'],
  ['docs/performance.md', '| commands beside a projection'],
  ['docs/performance.md', '| a server with its file resumes beside'],
  ['docs/performance/followers.md', '| commands beside 1,000 followers'],
  ['docs/performance/shared-log.md', '| a server with its file resumes beside'],
];
