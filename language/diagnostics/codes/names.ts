import { error, info } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** `'a', 'b' and 3 more`. */
function nameList(names: readonly string[]): string {
  const shown = names.slice(0, 8).map((name) => `'${name}'`);
  const more = names.length - shown.length;
  const last = more > 0 ? `${more} more` : (shown.pop() ?? '');
  return `${shown.join(', ')} and ${last}`;
}

/** `event 'Sold' has it`. */
function carriedBy(events: readonly string[]): string {
  const [first = '', second, ...more] = events.map((event) => `'${event}'`);
  if (second === undefined) return `event ${first} has it`;
  return more.length === 0
    ? `events ${first} and ${second} have it`
    : `${events.length} events have it, such as ${first}`;
}

const bound = (name: string): string => `:${name}`;

/** E02xx: names that resolve to nothing, to two things, or to the wrong thing. */
export const names = {
  E0201: error<{ kind: string; name: string; nearest: readonly string[]; known?: readonly string[] }>(
    (p) => `there is no ${p.kind} '${p.name}'${suggestion(p.nearest, p.known)}`,
  ),
  E0202: error<{
    owner: string;
    what?: 'field' | 'parameter';
    name: string;
    nearest: readonly string[];
    known?: readonly string[];
    hint?: string;
  }>(
    (p) =>
      `${p.owner} has no ${p.what ?? 'field'} '${p.name}'${p.hint === undefined ? suggestion(p.nearest, p.known) : `; ${p.hint}`}`,
  ),
  E0203: error<{ name: string; nearest: readonly string[]; known?: readonly string[]; hint?: string }>(
    (p) =>
      `there is no column '${p.name}' here${suggestion(p.nearest, p.known)}${p.hint === undefined ? '' : `; ${p.hint}`}`,
  ),
  E0204: error<{ command: string; name: string; nearest: readonly string[]; known?: readonly string[] }>(
    (p) => `command '${p.command}' has no field '${p.name}'${suggestion(p.nearest.map(bound), p.known?.map(bound))}`,
  ),
  E0205: error<{ name: string; nearest: readonly string[]; instead?: string }>(
    (p) =>
      `there is no function '${p.name}'` +
      (p.instead !== undefined
        ? `; ${p.instead}`
        : suggestion(p.nearest) || '; docs/language.md#functions lists the functions'),
  ),
  E0206: error<{ name: string; nearest: readonly string[]; known?: readonly string[]; hint?: string }>(
    (p) =>
      `there is no relation '${p.name}'${suggestion(p.nearest, p.known)}${p.hint === undefined ? '' : `; ${p.hint}`}`,
  ),
  E0207: error<{ name: string; relations: readonly string[] }>(
    (p) =>
      `column '${p.name}' could be ${p.relations.map((relation) => `${relation}.${p.name}`).join(' or ')}; say which`,
  ),
  E0208: error<{ kind: string; name: string }>(
    (p) => `${p.kind} '${p.name}' exists with another definition; CREATE OR REPLACE replaces it`,
  ),
  E0209: error<{ kind: string; name: string; other: string }>(
    (p) => `${p.kind} '${p.name}' differs only in case from '${p.other}'`,
  ),
  E0210: error<{ what: string; name: string }>(
    (p) => `'${p.name}' cannot name ${p.what}: a letter or _, then at most 62 letters, digits or _`,
  ),
  E0211: error<{ what: string; name: string }>((p) => `'${p.name}' is reserved and cannot name ${p.what}`),
  E0212: error<{ owner: string; name: string }>((p) => `${p.owner} declares '${p.name}' twice`),
  E0213: error<{ name: string; nearest: readonly string[]; known: readonly string[] }>(
    (p) => `there is no relation '${p.name}' in scope` + suggestion(p.nearest, p.known),
  ),
  E0214: error<{ name: string; nearest: readonly string[]; known?: readonly string[] }>(
    (p) => `there is no schema or event store '${p.name}'${suggestion(p.nearest, p.known)}`,
  ),
  E0215: error<{ name: string }>((p) => `two relations here are called '${p.name}'; give one an alias`),
  E0216: error<{ owner: string; names: readonly string[] }>((p) =>
    p.names.length === 1
      ? `${p.owner} has two columns called '${p.names[0] ?? ''}'; give one an alias`
      : `${p.owner} has several columns called ${nameList(p.names)}; name the columns instead of *, with aliases`,
  ),
  E0217: error<{ name: string; known?: readonly string[]; bare?: 'command' | 'function' }>((p) =>
    p.bare !== undefined
      ? p.bare === 'command'
        ? `a CHECK names the fields of its command without a colon: ${p.name}`
        : `a function names its parameters without a colon: ${p.name}`
      : p.known === undefined
        ? `':${p.name}' has no meaning here; only a decision has the fields of a command`
        : `':${p.name}' has no value; params ${p.known.length === 0 ? 'gives none' : `has ${p.known.join(', ')}`}`,
  ),
  E0218: error<{
    aggregate: string;
    name: string;
    nearest: readonly string[];
    known?: readonly string[];
    carriers: readonly string[];
  }>((p) =>
    p.carriers.length === 0
      ? `no event of '${p.aggregate}' carries a field '${p.name}'${suggestion(p.nearest, p.known)}`
      : `no decision for '${p.aggregate}' emits an event with '${p.name}' yet; ${carriedBy(p.carriers)}`,
  ),
  E0219: info<{ aggregate: string; name: string }>(
    (p) => `no event of '${p.aggregate}' carries a field '${p.name}' yet; it is NULL`,
  ),
  E0220: error<{ waiting: string; blocks: readonly string[] }>(
    (p) => `${p.waiting} waits for ${p.blocks.join(', ')}, created later in the text`,
  ),
} as const;
