/** A file to write under the output folder; `path` is relative, with `/`, made only from checked names. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}
