import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { circlesOf } from './circles.ts';
import { forbiddenNames, homes, importers, insideOrder, mayImport, recursions, rooms } from './rules.ts';
import { readSources, type SourceText } from './source-files.ts';

const sources = readSources(rooms);
const longAllowed = 400;
/** Generated types, and files that hold one state machine. */
const mostLong = 8;

/** The folder of a file, as `rules.ts` names it. */
function placeOf(path: string): string {
  const [top = '', second = '', ...rest] = path.split('/');
  if (top === 'cli' || top === 'templates') return top;
  return rest.length > 0 ? `${top}/${second}` : `${top}/*`;
}

function isAllowed(file: SourceText, target: string): boolean {
  const place = placeOf(file.path);
  if (placeOf(target) === place) return true;
  return (mayImport[place] ?? []).some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

function places(from: SourceText): readonly string[] {
  return [...new Set(from.imports.map(placeOf))].filter((place) => place !== placeOf(from.path));
}

/** A cycle of folders, as `a > b > a`, or undefined. */
function findCycle(): string | undefined {
  const graph = new Map<string, Set<string>>();
  for (const file of sources) {
    const known = graph.get(placeOf(file.path)) ?? new Set<string>();
    for (const place of places(file)) known.add(place);
    graph.set(placeOf(file.path), known);
  }
  const done = new Set<string>();
  const visit = (place: string, path: readonly string[]): string | undefined => {
    if (path.includes(place)) return [...path.slice(path.indexOf(place)), place].join(' > ');
    if (done.has(place)) return undefined;
    for (const next of graph.get(place) ?? []) {
      const found = visit(next, [...path, place]);
      if (found !== undefined) return found;
    }
    done.add(place);
    return undefined;
  };
  for (const place of graph.keys()) {
    const found = visit(place, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

test('the reader of imports finds those of this project', () => {
  const diagnose = sources.find((file) => file.path === 'language/diagnostics/diagnose.ts');
  assert.equal(diagnose?.imports.includes('language/source/span.ts'), true);
  assert.equal(diagnose?.imports.includes('language/diagnostics/catalogue.ts'), true);
  assert.equal(diagnose?.values, ['language/diagnostics/catalogue.ts']);
});

test('every folder has an import rule', () => {
  assert.equal(
    [...new Set(sources.map((file) => placeOf(file.path)))].filter((place) => mayImport[place] === undefined),
    [],
  );
});

test('every import is allowed by the rules of its folder', () => {
  const wrong = sources.flatMap((file) =>
    file.imports.filter((target) => !isAllowed(file, target)).map((target) => `${file.path} imports ${target}`),
  );
  assert.equal(wrong, []);
});

test('the parts of an ordered place import only the parts behind them', () => {
  const wrong = Object.entries(insideOrder).flatMap(([place, parts]) => {
    const rankOf = (path: string): number => {
      const part =
        path
          .slice(place.length + 1)
          .split('/')[0]
          ?.replace(/\.ts$/, '') ?? '';
      return parts.findIndex((names) => names.split('=').includes(part));
    };
    const own = sources.filter(({ path }) => path.startsWith(`${place}/`));
    return own.flatMap(({ path, imports }) => {
      if (rankOf(path) < 0) return [`${path} has no rank`];
      const before = imports.filter((target) => target.startsWith(`${place}/`) && rankOf(target) < rankOf(path));
      return before.map((target) => `${path} imports ${target}`);
    });
  });
  assert.equal(wrong, []);
});

test('masks, and values that no mask has passed, are imported by the named files alone', () => {
  const found = Object.keys(importers).map((target) => [
    target,
    sources.filter(({ imports }) => imports.includes(target)).map(({ path }) => path),
  ]);
  const named = Object.entries(importers).map(([target, files]) => [target, [...files].sort()]);
  assert.equal(found, named);
});

test('the top folders import only folders before them', () => {
  const roomOf = (path: string): number => rooms.findIndex((room) => path.startsWith(`${room}/`));
  const wrong = sources.flatMap((file) =>
    file.imports
      .filter((target) => roomOf(target) > roomOf(file.path))
      .map((target) => `${file.path} imports ${target}`),
  );
  assert.equal(wrong, []);
});

test('no cycle of imports between folders', () => {
  assert.equal(findCycle(), undefined);
});

test('each cycle of a graph is found whole', () => {
  const graph = { a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: [], f: ['g', 'a'], g: ['f'] };
  assert.equal(circlesOf(new Map(Object.entries(graph))), [
    ['a', 'b', 'c'],
    ['f', 'g'],
  ]);
});

test('no cycle of value imports between files, except the named recursions', () => {
  const circles = circlesOf(new Map(sources.map((file) => [file.path, file.values])));
  const isNamed = (circle: readonly string[]): boolean =>
    recursions.some(
      ({ through, within }) =>
        circle.includes(through) && circle.every((path) => within.some((folder) => path.startsWith(`${folder}/`))),
    );
  assert.equal(
    circles.filter((circle) => !isNamed(circle)),
    [],
  );
  const unused = recursions.filter(({ through }) => !circles.some((circle) => circle.includes(through)));
  assert.equal(unused, []);
});

test('each library is imported only by its named files', () => {
  const wrong = sources.flatMap((file) =>
    file.packages
      .filter((name) => !(homes[name] ?? []).includes(placeOf(file.path)))
      .map((name) => `${file.path} imports ${name}`),
  );
  assert.equal(wrong, []);
});

test('only the folders that print or run SQL for SQLite read its properties', () => {
  const wrong = sources.filter(
    (file) => /\.sqlite\b/.test(file.text) && !(mayImport[placeOf(file.path)] ?? []).includes('language/sqlite'),
  );
  assert.equal(
    wrong.map((file) => file.path),
    [],
  );
});

test('no file or folder is called utils, helpers or the like', () => {
  const lastWord = (part: string): string => part.replace(/\.ts$/, '').split('-').at(-1) ?? '';
  const wrong = sources.filter((file) => file.path.split('/').some((part) => forbiddenNames.includes(lastWord(part))));
  assert.equal(
    wrong.map((file) => file.path),
    [],
  );
});

test('files are kebab-case', () => {
  const wrong = sources.filter((file) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*\.ts$/.test(file.path));
  assert.equal(
    wrong.map((file) => file.path),
    [],
  );
});

test(`half of the files have at most 100 lines, few over ${longAllowed}`, () => {
  const lengths = sources.map((file) => file.lines).sort((a, b) => a - b);
  const long = sources.filter((file) => file.lines > longAllowed).map((file) => `${file.path}: ${file.lines}`);
  if (long.length > 0) console.log(`over ${longAllowed} lines:\n  ${long.join('\n  ')}`);
  assert.ok((lengths[Math.floor(lengths.length / 2)] ?? 0) <= 100, `median ${lengths[Math.floor(lengths.length / 2)]}`);
  assert.ok(long.length <= mostLong, `${long.length} files over ${longAllowed} lines`);
});

test.run();
