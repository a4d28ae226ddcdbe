/** The files of one output folder. Paths are relative to it, with `/`. */
export interface FileHost {
  /** Undefined when there is no such file. */
  readonly read: (path: string) => string | undefined;
  /** Replaces the whole file or nothing; creates its folders. */
  readonly write: (path: string, text: string) => void;
  /** Removes the file, and folders that are empty afterwards. */
  readonly remove: (path: string) => void;
}
