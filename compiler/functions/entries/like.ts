import type { FunctionEntry } from '../entry.ts';
import { sharedCall } from '../shared-call.ts';
import { oneOf } from '../signature.ts';
import { BOOLEAN } from '../typing.ts';

/** `text LIKE pattern [ESCAPE character]`; the escape character is a backslash by default, and '' means none. */
function like(name: 'like' | 'ilike'): FunctionEntry {
  const word = name.toUpperCase();
  return {
    name,
    usage: [`text ${word} pattern`, `text ${word} pattern ESCAPE character`],
    strict: true,
    resolve: oneOf(word, [
      { parameters: ['text', 'text'], result: BOOLEAN },
      { parameters: ['text', 'text', 'text'], result: BOOLEAN },
    ]),
    ...sharedCall(name, [undefined, undefined, '\\']),
  };
}

export const likes: readonly FunctionEntry[] = [like('like'), like('ilike')];
