/**
 * A type of the schema language, by its name: `BIGINT`, `DECIMAL(12,2)`; a list of one; or the fields of a struct.
 */
export type ColumnType = string | { readonly list: ColumnType } | { readonly fields: Columns };
export type Columns = Readonly<Record<string, ColumnType>>;

/**
 * Makes of a value, as a decoder read it, what the client's types say: a DECIMAL is exact text with its scale, a
 * BIGINT a bigint, INT and DOUBLE numbers, a TIMESTAMP or DATE ISO text; what is absent is `null`. Decoders hand over
 * numbers as such, as bigints, or as `exactNumber` marks them; `readJson` turns what they hand over for a JSON value
 * into that value.
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

/** A struct holds the fields of its type: another event's are left out, one that an older event lacks is `null`. */
export function reshapeFields(
  fields: Columns,
  readJson: (value: unknown) => unknown,
): (value: unknown) => Record<string, unknown> {
  const members = Object.entries(fields).map(([name, type]) => [name, reshape(type, readJson)] as const);
  return (value) => {
    const given = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      members.map(([name, read]) => [name, read(Object.hasOwn(given, name) ? given[name] : null)]),
    );
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

/** `12.3` with scale 2 is `12.30`. Digits that the type has no place for stay: the server's schema may have grown. */
function withScale(text: string, scale: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const kept = fraction.slice(0, scale).padEnd(scale, '0') + fraction.slice(scale).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
