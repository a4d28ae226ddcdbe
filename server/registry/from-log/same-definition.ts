/**
 * Whether two logged texts of a block are the same definition: doc comments are no part of it. The compiler is loaded only to compare texts that have
 * some, because a start compares the texts of files and log before its first answer.
 */
export async function isSameDefinition(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  if (![one, other].some((text) => text.includes('--- '))) return false;
  const { definitionText } = await import('../../../compiler/index.ts');
  return definitionText(one) === definitionText(other);
}
