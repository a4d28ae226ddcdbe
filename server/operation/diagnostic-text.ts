import { placeOf, type Diagnostic } from '../../compiler/index.ts';

/** Maximum number and length of reported diagnostics: a text of a caller can have thousands. */
const most = { diagnostics: 20, characters: 500 } as const;

/** `line:column message (code)`, one for each diagnostic of that severity. */
export function describe(diagnostics: readonly Diagnostic[], told: Diagnostic['severity'] = 'error'): string {
  return describeEach(diagnostics, told).join('; ');
}

/** The descriptions as a list; if they are too many, its last item tells the number of the others. */
export function describeEach(
  diagnostics: readonly Diagnostic[],
  told: Diagnostic['severity'] = 'error',
): readonly string[] {
  const found = diagnostics.filter(({ severity }) => severity === told);
  const shown = found.slice(0, most.diagnostics).map(({ span, message, code }) => {
    const { line, column } = placeOf(span.file, span.start);
    return `${line}:${column} ${shortened(message)} (${code})`;
  });
  const left = found.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [`and ${left} more`])];
}

/** A message may quote a literal of the caller, of any length. */
function shortened(message: string): string {
  if (message.length <= most.characters) return message;
  const characters = [...message];
  const half = most.characters / 2;
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}
