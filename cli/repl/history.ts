import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Shell } from '../shell.ts';
import type { Known } from '../../runtime/session/known.ts';

/** What was typed, newest first, as readline keeps it. */
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
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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
        // A session is worth more than its history.
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

/**
 * Whether a statement may hold a sensitive value and is therefore left out of histories (language.md section 12): it executes a
 * command with SENSITIVE fields, or makes a table that could be the input of one.
 */
export function isDiscreet(text: string, known: Known): boolean {
  const guarded = known.commands.filter((command) => command.fields.some((field) => field.sensitive));
  if (guarded.length === 0) return false;
  if (/\bvalues\b/i.test(text)) return true;
  const called = /\bexecute\s+"?(\w+)/i.exec(text)?.[1]?.toLowerCase();
  return called !== undefined && guarded.some((command) => command.name.toLowerCase() === called);
}
