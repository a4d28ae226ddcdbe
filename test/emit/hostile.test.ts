import { existsSync, readdirSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { GeneratedFile } from '../../compiler/emit/project/generated-file.ts';
import { Failure } from '../../language/failure/failure.ts';
import { readTree } from '../kit/cases.ts';
import { fixedContext } from '../kit/decider.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { projectOf } from './compiled.ts';
import { everyProject } from './every-project.ts';
import { importDomain, projectErrors } from './generated-project.ts';
import { acceptedIn, places, plain } from './hostile-texts.ts';
import { printedExpressions } from './printed-expressions.ts';

const canary = (): unknown => (globalThis as { PWN?: unknown }).PWN;
const projects: Record<string, readonly GeneratedFile[]> = {};

for (const [place, text] of Object.entries(places)) {
  test(`${place}: every value is refused, or kept unchanged`, async () => {
    const accepted = acceptedIn(place);
    const files = await projectOf(`${plain}\n${accepted.map(text).join('\n')}`);
    projects[place.replaceAll(' ', '-')] = files;
    for (const { path } of files) assert.match(path, /^(dist\/)?([a-z]+\/)?[A-Za-z0-9_-]+(\.[a-z]+)+$/, path);
    await withTempFolder(async (folder) => {
      const domain = await importDomain(`${folder}/inside`, files);
      for (const decision of domain.decisions) {
        const command = domain.commands.find(({ name }) => name === decision.command);
        const sent = new Map(
          command?.fields.map(({ name, type }) => [name, type.kind === 'STRING' ? 'x' : null]) ?? [],
        );
        const decoded = attempt(() => command?.decode(sent)) ?? {};
        // A LIKE pattern that ends in its escape fails when it is evaluated; no other value may fail.
        const decided = attempt(() => decision.decide(decoded, {}, fixedContext())) ?? [];
        for (const payload of decided.flatMap((branch) => branch ?? []))
          domain.events.find(({ name }) => name === payload.event)?.encode(payload.payload);
      }
      assert.equal(readdirSync(folder), ['inside']);
    });
    assert.ok(accepted.length > 0, 'nothing was accepted');
    assert.is(canary(), undefined);
  });
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

test('literals keep their values', () =>
  withTempFolder(async (folder) => {
    const accepted = acceptedIn('a string in a payload');
    assert.ok(accepted.length > 40);
    const domain = await importDomain(folder, projects['a-string-in-a-payload'] ?? []);
    accepted.forEach((value, index) => {
      const decision = domain.decisions.find(({ name }) => name === `D${index}`);
      const command = domain.commands.find(({ name }) => name === `C${index}`);
      const decided = decision?.decide(command?.decode(new Map([['id', 'x']])) ?? {}, {}, fixedContext());
      assert.equal(
        decided?.[0]?.map(({ stream, payload }) => [stream, payload]),
        [
          [value, { t: value }],
          [undefined, { t: value }],
        ],
      );
    });
  }));

test('all code that the suite generates satisfies strict TypeScript', async () => {
  const every = Object.entries({ ...projects, ...(await everyProject()) });
  const typed = Object.fromEntries(
    every.map(([name, files]) => [name, files.filter(({ path }) => path.endsWith('.ts'))]),
  );
  assert.equal(await projectErrors({ ...typed, functions: [{ path: 'printed.ts', text: printedExpressions() }] }), []);
});

test('no hostile path wrote a file', () => {
  assert.not.ok(existsSync('/tmp/x.ts'));
  assert.equal(Object.keys(readTree('/tmp/x')), []);
});

test.run();
