import { unmasked } from '../../runtime/engine/unmasked.ts';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sourceMap } from '../../compiler/emit/print/source-map.ts';
import { ExactNumber, type JsonValue } from '../../language/values/json.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { projectOf } from './compiled.ts';
import { importDomain } from './generated-project.ts';

/** The source of a line and its line there, each from 0. */
function placeOf(map: string, line: number): string | undefined {
  const entry = new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0]).findEntry(line, 0);
  return 'originalLine' in entry ? `${entry.originalSource}:${entry.originalLine}` : undefined;
}

/** The map in a text of JavaScript. */
function mapIn(javaScript: string): string {
  const encoded = /\n\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\n$/.exec(javaScript)?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString('utf8');
}

test('each line points at its source line', () => {
  const javaScript = 'const a = 1;\n\nfunction f(x) {\n  return x;\n}\n';
  const typeScript = 'import type { T } from "t";\n\nconst a: number = 1;\n\nfunction f(x: T): T {\n  return x;\n}\n';
  const other = { javaScript: 'return 2;\n', typeScript: '// other\nreturn 2;\n', source: 'o.ts' };
  const map = sourceMap('// start\n', [{ javaScript, typeScript, source: 'm.ts' }, other]);
  assert.equal(
    [2, 4, 5, 6, 8].map((line) => placeOf(map, line)),
    ['m.ts:2', 'm.ts:4', 'm.ts:5', 'm.ts:6', 'o.ts:1'],
  );
});

test('a guard of a generated decision points at its TypeScript line', async () => {
  const files =
    await projectOf(`CREATE AGGREGATE Bike; CREATE COMMAND Rent (bike_id STRING, km INT); CREATE EVENT Rented (km INT);
    CREATE DECISION Take FOR Bike ON COMMAND Rent EMIT AS SELECT EVENT Rented (km := :km) WHERE :km > 3;`);
  const text = (ending: string): string =>
    files.find(({ path }) => path === `${ending === '.ts' ? '' : 'dist/'}decisions/Take${ending}`)?.text ?? '';
  const guard = /if \(!\(command\.km > 3\)\)/;
  const line = text('.js')
    .split('\n')
    .findIndex((candidate) => guard.test(candidate));
  const origin = text('.ts')
    .split('\n')
    .findIndex((candidate) => guard.test(candidate));
  assert.is(placeOf(mapIn(text('.js')), line), `../../decisions/Take.ts:${origin}`);
});

// Follows docs/debugging.md: a breakpoint in a decision's TypeScript stops a command there, and shows its arguments.
const schema = `CREATE AGGREGATE Bike; CREATE COMMAND Rent (bike_id STRING, km INT); CREATE EVENT Rented (km INT);
CREATE DECISION Take FOR Bike ON COMMAND Rent
STATE AS SELECT COUNT(*) AS rentals FROM Reg."Bike$Events" WHERE stream_id = :bike_id
EMIT AS SELECT EVENT Rented (km := :km) WHERE :km > 3 AND rentals < 2;`;

interface Stop {
  readonly function: string | undefined;
  readonly command: unknown;
  readonly state: unknown;
}

test('a breakpoint in a decision stops a command, and shows the command and the state', () =>
  withTempFolder(async (folder) => {
    const session = new Session();
    session.connect();
    session.post('Debugger.enable');
    const files = await projectOf(schema);
    writeFiles(folder, Object.fromEntries(files.map(({ path, text }) => [path, text])));
    const domain = await importDomain(folder, files);
    const url = pathToFileURL(join(folder, 'dist/decisions/Take.js'));
    session.post('Debugger.setBreakpointByUrl', { url: url.href, lineNumber: runningLine(url, 'if (!(') });
    const stops: Stop[] = [];
    session.on('Debugger.paused', ({ params: { callFrames } }) => {
      const [frame] = callFrames;
      if (frame === undefined) return;
      const shown = (expression: string): unknown => evaluated(session, frame.callFrameId, expression);
      stops.push({ function: frame.functionName, command: shown('command'), state: shown('state') });
    });
    const engine = await createReactingEngine({
      store: await openMemoryStore(),
      domain,
      clock: systemClock,
      randomBytes: createSystemRandom(),
    });
    const outcome = await engine.execute({
      command: 'Rent',
      arguments: new Map<string, JsonValue>([
        ['bike_id', 'b'],
        ['km', new ExactNumber('4')],
      ]),
    });
    session.disconnect();
    await engine.close();
    assert.is(unmasked(outcome).outcome, 'emitted');
    assert.equal(stops, [{ function: 'emitRented', command: { bike_id: 'b', km: 4 }, state: { rentals: '0n' } }]);
  }));

/** The line of the JavaScript, from 0, for the line of the TypeScript that holds a text, as a debugger finds it by the source map. */
function runningLine(url: URL, text: string): number {
  const javaScript = readFileSync(url, 'utf8');
  const lines = javaScript.trimEnd().split('\n');
  const map = JSON.parse(mapIn(javaScript)) as ConstructorParameters<typeof SourceMap>[0];
  const source = new URL(map.sources[0] ?? '', url);
  const wanted = readFileSync(source, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text));
  const entries = new SourceMap(map);
  return lines.findIndex((_, line) => {
    const entry = entries.findEntry(line, 0);
    return 'originalLine' in entry && entry.generatedLine === line && entry.originalLine === wanted;
  });
}

function evaluated(session: Session, callFrameId: string, expression: string): unknown {
  let value: unknown;
  const text = `JSON.stringify(${expression}, (_, value) => typeof value === 'bigint' ? value + 'n' : value)`;
  session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: text }, (error, { result }) => {
    value = error === null ? JSON.parse(String(result.value)) : error;
  });
  return value;
}

test.run();
