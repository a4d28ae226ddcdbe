import { error, warning } from '../define.ts';
import { suggestion } from '../suggestion.ts';

export const reactions = {
  E0450: error<{ event: string; aggregate: string; lands: readonly string[] }>(
    (p) =>
      `no decision emits '${p.event}' to a stream of '${p.aggregate}'; ` +
      (p.lands.length === 0 ? 'no decision emits it at all' : `it goes to ${p.lands.join(', ')}`),
  ),
  E0451: error<{ form: string; problem: string }>((p) => `${p.form} ${p.problem}`),
  E0452: error<{ event: string; name: string; nearest: readonly string[]; known: readonly string[] }>(
    (p) => `${p.event} has no field '${p.name}'${suggestion(p.nearest.map(bound), p.known.map(bound))}`,
  ),
  E0453: warning<{ command: string }>(
    (p) => `no decision decides '${p.command}' yet; until then the reaction cannot execute it`,
  ),
  E0454: error<{ name: string }>(
    (p) => `the command '${p.name}' does not wait, so no event can cancel it; give it an AFTER or AT`,
  ),
} as const;

function bound(name: string): string {
  return `:${name}`;
}
