import type { ExitStatus } from './exit-fault.ts';
import type { Flags } from './settings/settings.ts';
import type { Shell } from './shell.ts';

/** A command of the tool as data: help, completion and the parser are made from it, and only the called command is loaded. */
export interface Declaration {
  /** A single word, or two for a command of a group: `log verify`. */
  readonly name: string;
  readonly summary: string;
  /** As commander writes them: `<script...>` required, `[paths...]` not. */
  readonly arguments: readonly (readonly [form: string, meaning: string])[];
  readonly options: readonly (readonly [form: string, meaning: string])[];
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Loads its modules, and starts work that takes as long as loading them. */
  readonly load: (shell: Shell, flags: Flags) => Promise<Run>;
}

/** Runs the command: `words` are its arguments in order, `flags` its options by camel-case name. */
export type Run = (shell: Shell, words: readonly string[], flags: Flags) => Promise<ExitStatus>;
