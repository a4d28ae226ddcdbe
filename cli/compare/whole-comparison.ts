/** Files compared with a store: the definitions, and all that is stored, read and computed under both. */
import type { Store } from '../../runtime/store/store.ts';
import { writeJsonLine } from '../shell.ts';
import { withProgress } from '../progress.ts';
import type { Shell } from '../shell.ts';
import { productVersion } from '../version.ts';
import type { IsAllowed } from './allowed.ts';
import { differencesOf } from './differences.ts';
import { readingFails, readingText, readUnderBoth, type Reading } from './reading.ts';
import { readSide, type RegistrySide } from './registry-side.ts';
import { breaksAny, judge, showDifferences, type JudgedDifference } from './show-differences.ts';
import { storedDifferences } from './stored-differences.ts';

export interface WholeComparison {
  readonly differences: readonly JudgedDifference[];
  /** Undefined if stored events forbid the change. */
  readonly reading?: Reading;
  /** Something breaks that is not allowed, cannot be read or is computed wrongly. */
  readonly breaks: boolean;
}

/** Reads the whole store. Its read model has the tables of the files afterwards. */
export async function compareWhole(
  shell: Shell,
  store: Store,
  files: Required<Pick<RegistrySide, 'catalog' | 'compile'>>,
  isAllowed: IsAllowed,
): Promise<WholeComparison> {
  const old = await readSide(shell, 'log', store);
  const differences = judge(await differencesOf(old, files, store), isAllowed);
  const { served } = await storedDifferences(files.compile, store);
  if (served === undefined) return { differences, breaks: true };
  const { createDomainLoader } = await import('../../server/registry/load/domain-loader.ts');
  const before = await createDomainLoader({ version: productVersion() }).load(old.catalog);
  const reading = await withProgress(shell, 'reading the store under both', () =>
    readUnderBoth(store, before, served.domain),
  );
  return { differences, reading, breaks: breaksAny(differences) || readingFails(reading) };
}

/** Writes a comparison as text; with `more`, as one JSON object that also has these members. */
export function showWhole(
  { output }: Shell,
  { differences, reading, breaks }: WholeComparison,
  more?: Readonly<Record<string, unknown>>,
): void {
  if (more !== undefined) {
    writeJsonLine(output, { breaks, differences, ...(reading && { reading }), ...more });
    return;
  }
  showDifferences(output, differences);
  output.write(reading === undefined ? 'nothing is read: stored events forbid the change\n' : readingText(reading));
}
