/** The command, started by a shell that writes at the end how much processor time it took, with all processes that it waited for. */
export function measured(
  command: string,
  given: readonly string[],
): { readonly command: string; readonly arguments: readonly string[] } {
  const script = '"$@"; status=$?; echo; times; exit $status';
  return { command: 'sh', arguments: ['-c', script, 'sh', command, ...given] };
}

const minutes = String.raw`(\d+)m([\d.]+)s`;
const written = new RegExp(`\\n${minutes} ${minutes}\\n${minutes} ${minutes}\\n$`);

/** Separates the output of such a command from its seconds of processor time; undefined where it was killed before it could report them. */
export function readMeasured(output: string): { readonly output: string; readonly processorSeconds?: number } {
  const found = written.exec(output);
  if (found === null) return { output };
  const figures = found.slice(1).map(Number);
  const seconds = figures.reduce((sum, figure, at) => sum + figure * (at % 2 === 0 ? 60 : 1), 0);
  return { output: output.slice(0, found.index), processorSeconds: seconds };
}
