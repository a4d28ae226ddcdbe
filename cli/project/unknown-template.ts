import { nearestNames, suggestion } from '../../language/diagnostics/suggestion.ts';

/** The message about an unknown template: the nearest name, if one is near, and all names. */
export function unknownTemplate(kind: 'project' | 'stock', name: string, known: readonly string[]): string {
  const hint = suggestion(nearestNames(name, known));
  const list = `${known.slice(0, -1).join(', ')} and ${known.at(-1) ?? ''}`;
  return `there is no ${kind} template '${name}'${hint === '' ? '; there are' : `${hint} There are`} ${list}`;
}
