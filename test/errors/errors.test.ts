import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { catalogue } from '../../language/diagnostics/catalogue.ts';
import type { CodeEntry } from '../../language/diagnostics/define.ts';
import { failures } from '../../language/failure/catalogue.ts';
import { explanations } from '../../cli/commands/explain.ts';
import { codesIn, readPage, say, showPage } from './page.ts';
import { rooms } from '../architecture/rules.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');

/** Codes without a page, and why no page can raise them. */
const elsewhere: Readonly<Record<string, string>> = {
  E0111: 'takes a text of more than 10 MiB; test/syntax/codes.test.ts',
  E0123: 'takes a text that begins with it; test/compile/file-header.test.ts',
  E0113: 'takes a text of half a million words; test/syntax/codes.test.ts',
  E0510: 'takes an expansion of more than 1 MiB; test/syntax/codes.test.ts',
  E0428: 'takes stored events; test/session/scripts/enums.schema',
  E0631: 'takes a log of before there was the limit; test/registry/expansion.test.ts',
  R0101: 'EXECUTE says E0902 first; over HTTP only',
  R0102: 'EXECUTE says E0901 first; over HTTP only',
  R0107: 'EXECUTE says E0906 first; over HTTP only',
  R0108: 'a route names the aggregate; over HTTP only',
  R0109: 'takes a server in read-only mode',
  R0110: 'takes a store with id.command_id.required',
  R0112: 'takes the entity tag of another store; over HTTP only',
  R0113: 'EXECUTE says E0901 and E0902 first; over HTTP only',
  R0115: 'takes a command that is sent; test/session/scripts/checks.schema',
  R0117: 'takes a token; test/engine/callers.test.ts',
  R0207: 'takes a second of work',
  R0210: 'takes texts of millions of characters; test/functions/cost.test.ts',
  R0301: 'takes a budget, or more rows than the memory bound',
  R0302: 'takes a statement larger than the engine allows; test/emit-sqlite/bounds.test.ts',
  R0303: 'takes somebody who stops a statement; test/session/long-statements.test.ts',
  R0401: 'takes a full queue',
  R0402: 'takes a disk that fails; test/crash/',
  R0403: 'takes a disk that fails; test/crash/',
  R0404: 'takes a second process; test/crash/lock.test.ts',
  R0405: 'takes a damaged log; test/crash/bit-flips.test.ts',
  R0406: 'takes a log of another version',
  R0407: 'takes a broken export; test/store/transfer.test.ts',
  R0408: 'takes a disk that cannot be written; test/crash/disk-full.test.ts',
  R0409: 'takes a server that ends; test/session/joined.test.ts',
  R0410: 'takes a file that cannot be written; test/cli/created-file.test.ts',
  R0411: 'takes a process short of descriptors; test/cli/out-of-descriptors.test.ts',
  R0412: 'takes a log without its end; test/crash/lost-end.test.ts',
  R0413: 'takes a log that is away for a while; test/engine/log-away.test.ts',
  R0414: 'takes a read model on a disk that fails; test/crash/disk-full.test.ts',
  R0415: 'takes a disk that fails; test/store/inspection-files.test.ts',
  R0416: 'takes a disk that fails; test/store/consumers.test.ts',
  R0418: 'takes a folder in place of the read model; test/cli/start-faults.test.ts',
  R0417: 'takes a stored value that no version of today writes; test/store/event-reader.test.ts',
  R0420: 'takes a database that cannot be used; test/postgres/tables.test.ts',
  R0421: 'takes rows changed by hand; test/postgres/tables.test.ts',
  R0422: 'takes a database that was restored; test/postgres/lost-entries.test.ts',
  R0501: 'takes a server that starts',
  R0502: 'takes a server that starts; test/registry/reconcile.test.ts',
  R0503: 'takes a server that starts; test/registry/reconcile.test.ts',
  R0504: 'takes a server that serves; test/registry/large-changes.test.ts',
  R0507: 'takes a log that servers share; test/servers/registry.test.ts',
  R0601: 'is in the outcome of a reaction; test/session/scripts/reactions.schema',
  R0605: 'is in the outcome of a reaction; test/engine/reactions.test.ts',
  R0603: 'takes a session on a data directory; test/session/advance-clock.test.ts',
  R0508: 'takes servers that change one log at once; test/servers/registry.test.ts',
};

const entries = Object.entries(catalogue as Readonly<Record<string, CodeEntry<never>>>);
const codes = [...entries.map(([code]) => code), ...Object.keys(failures)].sort();
const pages = readdirSync(here)
  .filter((name) => name.endsWith('.page'))
  .map((name) => name.slice(0, -'.page'.length))
  .sort();

test('every code has a page or a reason for having none, and every page and reason has a code', () => {
  assert.equal([...pages, ...Object.keys(elsewhere)].sort(), codes);
});

test('the page of codes explains every code, in order', () => {
  const failed = Object.entries(failures).map(([code, { title }]) => [code, 'error', title] as const);
  const wanted = [...entries.map(([code, { severity }]) => [code, severity] as const), ...failed];
  const explained = [...explanations().values()].map(({ code, severity, title }) =>
    code.startsWith('R') ? [code, severity, title] : [code, severity],
  );
  assert.equal(
    explained,
    wanted.sort(([a], [b]) => (a < b ? -1 : 1)),
  );
});

test('every explanation has a title, sentences, and an example or the occasion that it takes', () => {
  const bare = [...explanations().values()].filter(
    ({ title, explanation, example, takes }) =>
      title === '' || !/^.{20,}[.:)]$/.test(explanation) || [undefined, ''].includes(example ?? takes),
  );
  assert.equal(bare, []);
});

test('every code is raised somewhere in the sources', () => {
  const text = rooms.flatMap((folder) => sourcesUnder(join(root, folder))).join('\n');
  assert.equal(
    codes.filter((code) => !text.includes(`'${code}'`)),
    [],
  );
});

/** The texts of the sources, except those that declare codes. */
function sourcesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'codes' ? [] : sourcesUnder(path);
    return entry.name.endsWith('.ts') ? [readFileSync(path, 'utf8')] : [];
  });
}

for (const code of pages) {
  const path = join(here, `${code}.page`);
  test(`the page of ${code}`, async () => {
    const page = readPage(readFileSync(path, 'utf8'));
    const said = await say(`${code}.schema`, page.source);
    if (process.env['SCHEMAC_UPDATE'] === '1') writeFileSync(path, showPage({ source: page.source, said }));
    else assert.fixture(said, page.said);
    assert.ok(codesIn(said).includes(code), `${code} is not among ${codesIn(said).join(', ')}`);
  });
}

for (const { code, example } of explanations().values()) {
  if (example === undefined) continue;
  test(`the example of ${code} raises it`, async () => {
    const raised: (readonly string[])[] = [];
    for (const how of ['', '-- check\n', '-- interactive\n', '-- console\n']) {
      const found = codesIn(await say('example.schema', how + example));
      if (found.includes(code)) {
        assert.equal(noise(code, found), []);
        return;
      }
      raised.push(found);
    }
    assert.unreachable(JSON.stringify(raised));
  });
}

/** Other codes in the example; a registry of a few lines has several findings. */
function noise(code: string, found: readonly string[]): readonly string[] {
  return found.filter((other) => other !== code && !(code.startsWith('E10') && other.startsWith('E10')));
}

test.run();
