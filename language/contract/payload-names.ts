/**
 * Names of payload fields as columns of their own, beside columns of the event: a field whose name is one of `reserved`, regardless of case, gets
 * `data_` before it, until it is free.
 */
export function payloadColumnNames(fields: readonly string[], reserved: readonly string[]): readonly string[] {
  const kept = new Set(reserved);
  const taken = new Set([...reserved, ...fields.map((field) => field.toLowerCase())]);
  return fields.map((field) => {
    let name = field;
    if (kept.has(field.toLowerCase())) {
      name = `data_${field}`;
      while (taken.has(name.toLowerCase())) name = `data_${name}`;
    }
    taken.add(name.toLowerCase());
    return name;
  });
}
