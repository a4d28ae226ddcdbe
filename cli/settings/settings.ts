import { nearestNames, suggestion } from '../../language/diagnostics/suggestion.ts';
import { findSettings, type Flags, type Settings } from '../../server/start/settings/settings.ts';
import { asExitFault } from '../exit-of-error.ts';
import type { Shell } from '../shell.ts';

export type { Flags, Settings } from '../../server/start/settings/settings.ts';

/** The settings of a command, found as a generated server finds its own; errors also suggest the nearest name. */
export function resolveSettings(shell: Shell, flags: Flags): Settings {
  try {
    return findSettings(shell, flags, (name, known) => suggestion(nearestNames(name, known)));
  } catch (error) {
    throw asExitFault(error) ?? error;
  }
}
