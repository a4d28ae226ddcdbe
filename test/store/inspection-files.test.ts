/** Tables of inspections on a disk that fails: each failure is said as such, and the table before it stays. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { createInspectionFiles } from '../../runtime/store/side/inspection-files.ts';
import { saveTable } from '../kit/save-table.ts';
import type { InspectionTables } from '../../runtime/store/store.ts';
import { collect, column, int } from '../contract/accounts.ts';
import { createSimulatedDisk } from '../crash/simulated-disk.ts';

const save = (tables: InspectionTables, value: number): Promise<void> =>
  saveTable(tables, 'T', { columns: [column('a', int)] }, [[[value]], [[value]]]);

async function rowsOf(tables: InspectionTables): Promise<unknown> {
  const table = await tables.open('T');
  return typeof table === 'string' ? table : (await collect(table.pages())).flat();
}

/** The outcome of each attempt to save while the n-th call of that kind fails, until none does. */
async function outcomes(call: string): Promise<readonly unknown[]> {
  const told: unknown[] = [];
  for (let at = 1; ; at += 1) {
    let calls = -Infinity;
    const disk = createSimulatedDisk(new Map(), (made) => {
      if (made === call) calls += 1;
      return made === call && calls === at ? { error: new Error('ENOSPC: no space left') } : undefined;
    });
    const tables = createInspectionFiles(disk, '/data');
    await save(tables, 1);
    calls = 0;
    const outcome = await save(tables, 2).then(
      () => undefined,
      (error: unknown) => (error instanceof Failure ? `${error.code} ${error.message}` : error),
    );
    calls = -Infinity;
    if (outcome === undefined) return told;
    const left = [...disk.content().keys()].filter((path) => path.endsWith('.new'));
    told.push([outcome, await rowsOf(tables), left]);
  }
}

const unkept = "R0415 the table 'T' of the inspection cannot be written (ENOSPC: no space left); it is not recorded";
const before = [[1], [1]];

for (const [call, expected] of [
  ['open', [[unkept, before, []]]],
  ['write', Array.from({ length: 4 }, () => [unkept, before, []])],
  ['sync', [[unkept, before, []]]],
  ['rename', [[unkept, before, []]]],
  ['syncDirectory', [[unkept, [[2], [2]], []]]],
] as const)
  test(`a failing ${call}`, async () => {
    assert.equal(await outcomes(call), expected);
  });

test.run();
