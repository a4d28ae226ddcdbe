/** Separates a repeated name from its count. A name ends on its line, so none holds it. */
const separator = '\n';

/**
 * Names of their own for columns of which several may be called alike, without regard to case: the first keeps its name, the others get a
 * count. By these a query's columns are referred to where the query stands in another one; only there is a name as written not enough.
 */
export function distinctNames(names: readonly string[], between = separator): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = `${name}${between}${count}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** A name of `distinctNames` as it was written. */
export function writtenName(name: string): string {
  const end = name.indexOf(separator);
  return end === -1 ? name : name.slice(0, end);
}
