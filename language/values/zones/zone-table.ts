/**
 * The time zones that schemac ships with, so that every server computes with the same ones (docs/language.md#time-zones). Takes names, gives
 * offsets. A row of `zone-data.json`, which scripts/zones/zone-table.ts writes, is `names|offsets in seconds|changes|rule`: each change is the
 * seconds since the one before in base 36 and a letter for its offset; the rule, in the form of POSIX, says what happens after the last change.
 */
import { parseRule, type ZoneRule } from './zone-rule.ts';
import zoneData from './zone-data.json' with { type: 'json' };

export interface Zone {
  /** In seconds east of UTC, before the first change. */
  readonly first: number;
  readonly changes: readonly Change[];
  readonly rule: ZoneRule;
}

/** From this second since 1970 on the offset holds. */
export interface Change {
  readonly at: number;
  readonly offset: number;
}

/** The version of IANA's table. */
export const zoneVersion: string = zoneData.version;

let rows: ReadonlyMap<string, { readonly name: string; readonly row: string }> | undefined;

function rowsByName(): NonNullable<typeof rows> {
  return (rows ??= new Map(
    zoneData.rows.flatMap((row) => {
      const names = row.slice(0, row.indexOf('|')).split(' ');
      return names.map((name) => [name.toLowerCase(), { name, row }] as const);
    }),
  ));
}

/** The names of all zones, as IANA writes them. */
export function zoneNames(): readonly string[] {
  return [...rowsByName().values()].map(({ name }) => name);
}

const zones = new Map<string, Zone>();

/** The zone of a name in any case; undefined for any other text, abbreviations and offsets included. */
export function findZone(name: string): Zone | undefined {
  const row = rowsByName().get(name.toLowerCase())?.row;
  if (row === undefined) return undefined;
  const known = zones.get(row);
  if (known !== undefined) return known;
  const zone = readRow(row);
  zones.set(row, zone);
  return zone;
}

function readRow(row: string): Zone {
  const [, offsetList = '', changeList = '', rule = ''] = row.split('|');
  const offsets = offsetList.split(',').map(Number);
  const changes: Change[] = [];
  let at = 0;
  for (const [, delta = '', letter = ''] of changeList.matchAll(/(-?[0-9a-z]+)([A-Z])/g)) {
    at += Number.parseInt(delta, 36);
    changes.push({ at, offset: offsets[letter.charCodeAt(0) - 65] ?? 0 });
  }
  return { first: offsets[0] ?? 0, changes, rule: parseRule(rule) };
}
