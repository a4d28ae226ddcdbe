/** The files of one output folder. Paths are relative to it, with `/`. */
export interface FileHost {
  /** Undefined when there is no such file. */
  readonly read: (path: string) => string | undefined;
  /** Replaces the file as a whole or not at all; makes the folders that it needs. */
  readonly write: (path: string, text: string) => void;
  /** Removes the file, and folders that are empty then. */
  readonly remove: (path: string) => void;
}
