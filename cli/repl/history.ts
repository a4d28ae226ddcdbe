import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Shell } from '../shell.ts';
import type { Known } from '../../server/session/known.ts';
import { makeFolder } from '../../runtime/store/disk/make-folder.ts';

/** The typed lines, newest first, as readline keeps them. */
export interface History {
  readonly lines: readonly string[];
  readonly save: (lines: readonly string[]) => void;
}

const mostLines = 1000;

/** The history of this user: SCHEMAC_HISTORY (empty: none is kept), else under the XDG state folder. */
export function openHistory(shell: Shell): History {
  const named = shell.environment['SCHEMAC_HISTORY'];
  if (named === '') return { lines: [], save: () => undefined };
  const state = shell.environment['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state');
  const path = named ?? join(state, 'schemac', 'history');
  return {
    lines: readLines(path),
    save: (lines) => {
      try {
        makeFolder(dirname(path), 0o700);
        writeFileSync(
          path,
          lines
            .slice(0, mostLines)
            .map((line) => `${line}\n`)
            .reverse()
            .join(''),
          { mode: 0o600 },
        );
      } catch {
        // The session continues without its history.
      }
    },
  };
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .slice(-mostLines)
      .reverse();
  } catch {
    return [];
  }
}

/** The beginning of a statement, after comments and white space. */
const statement =
  /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(?:\\|(?:select|with|values|create|drop|execute|inspect|describe|explain|validate|export|apply|advance)\b)/i;

const execution = /\bexecute\b(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*"?(\w*)/gi;

/**
 * Whether a text may hold a sensitive value and is therefore left out of histories (docs/language.md#sensitive-values): it has a literal,
 * and executes a command that has SENSITIVE fields or is unknown, names such a command or field, makes a table that could be the input of
 * one, or is not a statement and so may be the rest of one.
 */
export function createDiscretion(known: Known): (text: string) => boolean {
  const isGuarded = ({ fields }: Known['commands'][number]): boolean => fields.some((field) => field.sensitive);
  const guarded = known.commands.filter(isGuarded);
  const harmless = new Set(known.commands.filter((each) => !isGuarded(each)).map(({ name }) => name.toLowerCase()));
  const names = guarded.flatMap(({ name, fields }) => [
    name,
    ...fields.flatMap((field) => (field.sensitive && field.name !== '' ? [field.name] : [])),
  ]);
  // Names are words, so they need no escaping in the expression.
  const naming = new RegExp(`\\b(?:${['values', String.raw`create\s+table`, ...names].join('|')})\\b`, 'i');
  const suspected = guarded.length > 0;
  return (text) => {
    if (!/['"]|\b\d/.test(text)) return false;
    const called = Array.from(text.matchAll(execution), ([, name = '']) => name.toLowerCase());
    // A misspelt command may be a sensitive one; so may any text if no commands are known.
    if (called.some((name) => !harmless.has(name)) && (suspected || harmless.size === 0)) return true;
    if (/\bsensitive\b/i.test(text) && /\b(?:execute|values)\b/i.test(text)) return true;
    return suspected && (naming.test(text) || !statement.test(text));
  };
}
