/**
 * Writes the table of time zones that schemac ships with, `language/values/zones/zone-data.json`, from the kept IANA source `tzdata.zi` (public
 * domain). Run it after replacing the source: `node --import tsx scripts/zones/zone-table.ts`. It needs `zic`, which compiles the source.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('tzdata.zi', import.meta.url));
const target = fileURLToPath(new URL('../../language/values/zones/zone-data.json', import.meta.url));

const text = readFileSync(source, 'utf8');
const version = /^# version (\w+)/.exec(text)?.[1];
if (version === undefined) throw new Error('tzdata.zi does not begin with its version');

/** Abbreviations such as EST and CET mean different things to different systems, so they are no names here. */
const isName = (name: string): boolean => name === 'UTC' || !/^[A-Z]{2,4}(?:[-+0-9].*)?$/.test(name);
const lines = text.split('\n').map((line) => line.split(' '));
const zones = lines.filter(([kind]) => kind === 'Z').map(([, name = '']) => name);
const links = lines.filter(([kind]) => kind === 'L').map(([, , name = '']) => name);
const names = [...new Set([...zones, ...links])].filter((name) => isName(name)).sort();

const folder = mkdtempSync(join(tmpdir(), 'zones-'));
try {
  execFileSync('zic', ['-b', 'slim', '-d', folder, source], { stdio: 'inherit' });
  const rows = new Map<string, string[]>();
  for (const name of names) {
    const row = readZone(readFileSync(join(folder, name)));
    rows.set(row, [...(rows.get(row) ?? []), name]);
  }
  const table = { version, rows: Array.from(rows, ([row, named]) => `${named.join(' ')}|${row}`) };
  writeFileSync(target, `${JSON.stringify(table, undefined, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** Offsets in seconds, changes, and the rule for the time after the last change, from a TZif file (RFC 9636). */
function readZone(bytes: Buffer): string {
  const first = header(bytes, 0);
  const start = 44 + first.times * 5 + first.types * 6 + first.chars + first.leaps * 8 + first.standards + first.locals;
  const { times, types, chars, leaps, standards, locals } = header(bytes, start);
  const changesAt = start + 44;
  const typesAt = changesAt + times * 9;
  const ruleAt = typesAt + types * 6 + chars + leaps * 12 + standards + locals;
  const offsets = Array.from({ length: types }, (_, index) => bytes.readInt32BE(typesAt + index * 6));
  let last = 0n;
  const changes = Array.from({ length: times }, (_, index) => {
    const at = bytes.readBigInt64BE(changesAt + index * 8);
    const delta = at - last;
    last = at;
    return `${delta.toString(36)}${String.fromCharCode(65 + (bytes[changesAt + times * 8 + index] ?? 0))}`;
  });
  if (types > 26) throw new Error('a zone has more offsets than letters');
  return `${offsets.join(',')}|${changes.join('')}|${bytes.toString('latin1', ruleAt + 1, bytes.length - 1)}`;
}

interface Header {
  readonly times: number;
  readonly types: number;
  readonly chars: number;
  readonly leaps: number;
  readonly standards: number;
  readonly locals: number;
}

function header(bytes: Buffer, at: number): Header {
  const count = (index: number): number => bytes.readUInt32BE(at + 20 + index * 4);
  return { locals: count(0), standards: count(1), leaps: count(2), times: count(3), types: count(4), chars: count(5) };
}
