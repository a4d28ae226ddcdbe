/** Words (in upper case) that are names only when quoted: columns, aliases and blocks. After `.`, `:` and as a field name they are ordinary words. */
export const reservedWords = [
  ...['SELECT', 'FROM', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'OFFSET', 'UNION', 'INTERSECT', 'EXCEPT'],
  ...['JOIN', 'ON', 'USING', 'AND', 'OR', 'NOT', 'IN', 'IS', 'LIKE', 'ILIKE', 'BETWEEN', 'SYMMETRIC'],
  ...['CASE', 'WHEN', 'THEN', 'ELSE', 'END', 'CAST', 'AS', 'DISTINCT', 'NULL', 'TRUE', 'FALSE'],
] as const;

const reserved: ReadonlySet<string> = new Set(reservedWords);

/** True for a word (in any case) that is a name only when quoted. */
export function isReservedWord(word: string): boolean {
  return reserved.has(word.toUpperCase());
}
