/** The doc comments of a block (docs/language.md#doc-comments), lines separated by a line feed. */
export interface Docs {
  /** The one above the block itself. */
  readonly block?: string;
  readonly fields: readonly { readonly name: string; readonly doc: string }[];
}

/** The doc comment of a field. */
export function fieldDoc(docs: Docs | undefined, field: string): string | undefined {
  return docs?.fields.find(({ name }) => name === field)?.doc;
}
