import type { Type } from '../../../language/values/type.ts';
import { literalSqlite, printCastSqlite } from '../../functions/cast.ts';

/**
 * An SQL value as a member of JSON, in the payload form of `language/values/type.ts`: strings for BIGINT, DECIMAL,
 * TIMESTAMP and DATE, so that every value is read back exactly. `text` is printed once; NULL becomes JSON's null.
 */
export function payloadForm(text: string, type: Type): string {
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'INTERVAL':
    case 'JSON':
    case 'INT':
    case 'DOUBLE':
    case 'NULL':
      return text;
    case 'BIGINT':
      return `CAST(${text} AS TEXT)`;
    case 'DECIMAL':
      return asText(text, { kind: 'DECIMAL', precision: type.precision, scale: type.scale });
    case 'TIMESTAMP':
    case 'WALL':
    case 'DATE':
      return asText(text, type);
    case 'BOOLEAN':
      return `json(CASE ${text} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)`;
    case 'LIST':
    case 'STRUCT':
      return `json(${text})`;
  }
}

function asText(text: string, type: Type): string {
  return printCastSqlite({ text, type, nullable: true, simple: false }, { kind: 'STRING' }, 'implicit');
}

export interface ObjectMember {
  readonly name: string;
  readonly text: string;
  /** The type of `text`. */
  readonly type: Type;
  /** The type that the event declares, which `type` widens. */
  readonly own: Type;
  /** A condition under which `text` is not a value of `type`, but its stored text (`values/payload-cell.ts`). */
  readonly asStored?: string;
}

/** SQLite takes at most 1000 arguments a call. */
const membersPerCall = 400;

/**
 * A JSON object of these members, in order. None of them is an object itself, so the braces of partial objects can be
 * trimmed.
 */
export function printObject(members: readonly ObjectMember[]): string {
  const calls: string[] = [];
  for (let from = 0; from === 0 || from < members.length; from += membersPerCall) {
    const some = members.slice(from, from + membersPerCall);
    const pairs = some.map((member) => `${literalSqlite(member.name, { kind: 'STRING' })}, ${memberForm(member)}`);
    calls.push(`json_object(${pairs.join(', ')})`);
  }
  if (calls.length === 1) return calls[0] ?? '';
  return `('{' || ${calls.map((call) => `trim(${call}, '{}')`).join(` || ',' || `)} || '}')`;
}

function memberForm(member: ObjectMember): string {
  const form = valueForm(member);
  const { text, asStored } = member;
  return asStored === undefined ? form : `CASE WHEN ${asStored} THEN substr(${text}, 2) ELSE ${form} END`;
}

/** A decimal in a column with a wider type keeps the scale of its own event. */
function valueForm({ text, type, own }: ObjectMember): string {
  if (type.kind !== 'DECIMAL' || own.kind !== 'DECIMAL' || own.scale >= type.scale) return payloadForm(text, type);
  const narrowed = printCastSqlite({ text, type, nullable: true, simple: true }, own, 'explicit');
  return payloadForm(narrowed, own);
}
