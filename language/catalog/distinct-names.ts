/** Separates a repeated name from its count. A name ends on its line, so none holds it. */
const separator = '\n';

/**
 * Distinct names for columns, some of which may have the same name in any case: the first keeps its name, the others get a count. An outer
 * query refers to the columns of an inner query by these names; everywhere else the written name is enough.
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

/** The written name behind a name from `distinctNames`. */
export function writtenName(name: string): string {
  const end = name.indexOf(separator);
  return end === -1 ? name : name.slice(0, end);
}
