import { SourceMap } from 'node:module';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sourceMap } from '../../compiler/emit/print/source-map.ts';
import { projectOf } from './compiled.ts';

function lineOf(map: string, line: number): number | undefined {
  const entry = new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0]).findEntry(line, 0);
  return 'originalLine' in entry ? entry.originalLine : undefined;
}

test('each line points at the one it comes from', () => {
  const javaScript = 'const a = 1;\n\nfunction f(x) {\n  return x;\n}\n';
  const typeScript = 'import type { T } from "t";\n\nconst a: number = 1;\n\nfunction f(x: T): T {\n  return x;\n}\n';
  const map = sourceMap(javaScript, typeScript, { file: 'm.js', source: 'm.ts' });
  assert.equal(
    [0, 2, 3, 4].map((line) => lineOf(map, line)),
    [2, 4, 5, 6],
  );
});

test('a guard of a generated decision', async () => {
  const files =
    await projectOf(`CREATE AGGREGATE Bike; CREATE COMMAND Rent (bike_id STRING, km INT); CREATE EVENT Rented (km INT);
    CREATE DECISION Take FOR Bike ON COMMAND Rent EMIT AS SELECT EVENT Rented (km := :km) WHERE :km > 3;`);
  const text = (ending: string): string =>
    files.find(({ path }) => path === `${ending === '.ts' ? '' : 'dist/'}decisions/Take${ending}`)?.text ?? '';
  const guard = /if \(!\(command\.km > 3\)\)/;
  const line = text('.js')
    .split('\n')
    .findIndex((candidate) => guard.test(candidate));
  assert.is(
    lineOf(text('.js.map'), line),
    text('.ts')
      .split('\n')
      .findIndex((candidate) => guard.test(candidate)),
  );
});

test.run();
