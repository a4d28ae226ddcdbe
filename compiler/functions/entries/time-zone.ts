/**
 * `x AT TIME ZONE zone`, both ways, and DATE_TRUNC with a zone. The last argument of each is the version of the zones, so that whatever is computed
 * with other zones, such as a fold, is another thing.
 */
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import { sqliteCall } from '../../../language/sqlite/call.ts';
import { findTruncation, truncations } from '../../../language/values/time-parts.ts';
import { findZone, zoneNames } from '../../../language/values/zones/zone-table.ts';
import type { FunctionEntry, GivenArgument, PrintedCall, Unresolvable } from '../entry.ts';
import { twoOperands } from '../operands.ts';
import { anyNullable, wrongCount } from '../signature.ts';
import { sqlCall } from '../typescript-text.ts';
import { isText, namesOf, STRING, TIMESTAMP, WALL } from '../typing.ts';

function zoneProblem(zone: GivenArgument | undefined): Unresolvable | undefined {
  if (zone === undefined || (!zone.untyped && !isText(zone.type)))
    return { problem: `AT TIME ZONE takes the name of a zone, not ${namesOf(zone === undefined ? [] : [zone])}` };
  if (typeof zone.literal !== 'string' || findZone(zone.literal) !== undefined) return undefined;
  const near = nearestNames(zone.literal, zoneNames());
  const instead =
    near.length > 0
      ? `did you mean ${near.map((name) => `'${name}'`).join(' or ')}?`
      : "zones have the names of IANA, such as 'Europe/Oslo', and UTC; abbreviations and offsets have several meanings";
  return { problem: `there is no time zone '${zone.literal}'; ${instead}` };
}

const atTimeZone: FunctionEntry = {
  name: 'at_time_zone',
  usage: ["instant AT TIME ZONE 'Europe/Oslo'", "local AT TIME ZONE 'Europe/Oslo'"],
  strict: true,
  resolve: (given) => {
    const [value, zone] = given;
    if (given.length !== 3) return wrongCount('AT TIME ZONE', given.length, [3]);
    const problem = zoneProblem(zone);
    if (problem !== undefined) return problem;
    const kind = value?.untyped === true ? 'TIMESTAMP' : value?.type.kind;
    if (kind === 'WALL') return { parameters: [WALL, STRING, STRING], result: TIMESTAMP, nullable: anyNullable };
    if (kind === 'TIMESTAMP' || kind === 'DATE')
      return { parameters: [TIMESTAMP, STRING, STRING], result: WALL, nullable: anyNullable };
    return {
      problem: `AT TIME ZONE takes a DATE, a TIMESTAMP or a LOCAL TIMESTAMP, not ${namesOf(given.slice(0, 1))}`,
    };
  },
  sqlite: (call) => sqliteCall(conversion(call), ...textsOf(call)),
  typescript: (call) => sqlCall(conversion(call), ...textsOf(call)),
};

function conversion(call: PrintedCall): 'toWallTime' | 'fromWallTime' {
  return call.result.kind === 'WALL' ? 'toWallTime' : 'fromWallTime';
}

/** Without the version. */
function textsOf(call: PrintedCall): readonly string[] {
  return twoOperands(call).map(({ text }) => text);
}

const truncateInZone: FunctionEntry = {
  name: 'truncate_in_zone',
  usage: ["DATE_TRUNC('day', instant, 'Europe/Oslo')"],
  strict: true,
  resolve: (given) => {
    const [unit, instant, zone] = given;
    if (given.length !== 4) return wrongCount('DATE_TRUNC', given.length, [4]);
    const kind = instant?.untyped === true ? 'TIMESTAMP' : instant?.type.kind;
    if (unit === undefined || (!unit.untyped && !isText(unit.type)))
      return { problem: `DATE_TRUNC takes the name of a unit first, not ${namesOf(given.slice(0, 1))}` };
    if (typeof unit.literal === 'string' && findTruncation(unit.literal) === undefined)
      return {
        problem: `DATE_TRUNC knows ${truncations.map((name) => name.toLowerCase()).join(', ')}, not '${unit.literal}'`,
      };
    if (kind !== 'TIMESTAMP' && kind !== 'DATE')
      return { problem: `DATE_TRUNC with a zone takes a DATE or TIMESTAMP, not ${namesOf(given.slice(1, 2))}` };
    return (
      zoneProblem(zone) ?? { parameters: [STRING, TIMESTAMP, STRING, STRING], result: TIMESTAMP, nullable: anyNullable }
    );
  },
  sqlite: ({ arguments: given }) => sqliteCall('truncateInZone', ...given.slice(0, 3).map(({ text }) => text)),
  typescript: ({ arguments: given }) => sqlCall('truncateInZone', ...given.slice(0, 3).map(({ text }) => text)),
};

export const timeZoneFunctions: readonly FunctionEntry[] = [atTimeZone, truncateInZone];
