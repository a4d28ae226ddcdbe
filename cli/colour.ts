/**
 * Whether to use colours: `--color` and `--no-color` win, then NO_COLOR (not empty), then FORCE_COLOR (`0` and `false` mean no), then
 * `TERM=dumb`, then whether the output is a terminal.
 */
export function wantsColour(
  environment: Readonly<Record<string, string | undefined>>,
  parameters: readonly string[],
  terminal: boolean,
): boolean {
  const end = parameters.indexOf('--');
  const flags = parameters.slice(0, end < 0 ? undefined : end);
  const flag = Math.max(flags.lastIndexOf('--color'), flags.lastIndexOf('--no-color'));
  if (flag >= 0) return flags[flag] === '--color';
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  const force = environment['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  return terminal && environment['TERM'] !== 'dumb';
}
