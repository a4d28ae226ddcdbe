import type { Difference, Level } from '../../compiler/index.ts';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import type { Output } from '../shell.ts';
import type { IsAllowed } from './allowed.ts';

export interface JudgedDifference extends Difference {
  /** True if it breaks something, and `--allow` lets it pass. */
  readonly allowed?: true;
}

export function judge(differences: readonly Difference[], isAllowed: IsAllowed): readonly JudgedDifference[] {
  return differences.map((one) => (one.level === 'breaks' && isAllowed(one) ? { ...one, allowed: true } : one));
}

/** Whether any of them breaks something and is not allowed. */
export function breaksAny(differences: readonly JudgedDifference[]): boolean {
  return differences.some(({ level, allowed }) => level === 'breaks' && allowed !== true);
}

/** Writes a line for each, and their counts. */
export function showDifferences(output: Output, differences: readonly JudgedDifference[]): void {
  for (const { level, allowed, block, code, message } of differences) {
    const word = allowed === true ? 'allowed' : level;
    output.write(`${word.padEnd(7)} ${block}: ${visibleText(message)} [${code}]\n`);
  }
  const count = (wanted: Level): number => differences.filter(({ level }) => level === wanted).length;
  const total = differences.length;
  output.write(
    total === 0
      ? 'no differences\n'
      : `${total} ${total === 1 ? 'difference' : 'differences'}: ${count('breaks')} breaks, ${count('mind')} mind, ${count('safe')} safe\n`,
  );
}
