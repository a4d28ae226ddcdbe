import { nearestNames, suggestion } from '../../language/diagnostics/suggestion.ts';
import { findSettings, type Flags, type Settings } from '../../server/start/settings/settings.ts';
import { asExitFault } from '../environment-error.ts';
import type { Shell } from '../shell.ts';

export type { Flags, Settings } from '../../server/start/settings/settings.ts';

/** The settings of a command, as a generated server finds its own; faults also say which name may have been meant. */
export function resolveSettings(shell: Shell, flags: Flags): Settings {
  try {
    return findSettings(shell, flags, (name, known) => suggestion(nearestNames(name, known)));
  } catch (error) {
    throw asExitFault(error) ?? error;
  }
}
