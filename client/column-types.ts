/**
 * A type of the schema language, by its name: `BIGINT`, `DECIMAL(12,2)`; a list of a type; or the fields of a struct.
 */
export type ColumnType = string | { readonly list: ColumnType } | { readonly fields: Columns };
export type Columns = Readonly<Record<string, ColumnType>>;

/**
 * Converts a decoded value to the client's type: a DECIMAL is exact text with its scale, a BIGINT a bigint, INT and
 * DOUBLE are numbers, a TIMESTAMP or DATE is ISO text; an absent value is `null`. Decoders give numbers as such, as
 * bigints, or marked by `exactNumber`; `readJson` converts a decoded JSON value.
 */
export function reshape(type: ColumnType, readJson: (value: unknown) => unknown): (value: unknown) => unknown {
  const present = reshapePresent(type, readJson);
  return (value) => (value === null || value === undefined ? null : present(value));
}

function reshapePresent(type: ColumnType, readJson: (value: unknown) => unknown): (value: unknown) => unknown {
  if (typeof type === 'object') {
    if ('fields' in type) return reshapeFields(type.fields, readJson);
    const item = reshape(type.list, readJson);
    return (value) => (value as readonly unknown[]).map(item);
  }
  const [, scale] = /^DECIMAL\(\d+,(\d+)\)$/.exec(type) ?? [];
  if (scale !== undefined) return (value) => withScale(digits(value), Number(scale));
  switch (type) {
    case 'DECIMAL':
      return (value) => withoutZeros(digits(value));
    case 'BIGINT':
      return (value) => (typeof value === 'bigint' ? value : BigInt(digits(value)));
    case 'INT':
    case 'DOUBLE':
      return (value) => (typeof value === 'number' ? value : Number(digits(value)));
    case 'JSON':
      return readJson;
    default:
      return (value) => value;
  }
}

/**
 * A struct has the fields of its type: fields of other events are left out, one that an older event lacks is `null`.
 */
export function reshapeFields(
  fields: Columns,
  readJson: (value: unknown) => unknown,
): (value: unknown) => Record<string, unknown> {
  const members = Object.entries(fields).map(([name, type]) => [name, reshape(type, readJson)] as const);
  return (value) => {
    const given = value as Readonly<Record<string, unknown>>;
    const fieldOf = (name: string): unknown => (Object.hasOwn(given, name) ? given[name] : null);
    return Object.fromEntries(members.map(([name, read]) => [name, read(fieldOf(name))]));
  };
}

const mark = '\u0000';

/** A number by its digits, distinguished from texts by a leading NUL, which no text of a server contains. */
export function exactNumber(text: string): string {
  return mark + text;
}

/** The digits of a marked number; undefined for any other text. */
export function exactDigits(text: string): string | undefined {
  return text.startsWith(mark) ? text.slice(1) : undefined;
}

function digits(value: unknown): string {
  return typeof value === 'string' ? (exactDigits(value) ?? value) : String(value);
}

/** `12.3` with scale 2 is `12.30`. Further digits are kept: the type in the server's schema may have been widened. */
function withScale(text: string, scale: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const kept = fraction.slice(0, scale).padEnd(scale, '0') + fraction.slice(scale).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
