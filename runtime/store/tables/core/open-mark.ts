import type { Model } from './model.ts';

/** The note in a file that a process writes it: a start that finds it knows that the file was not closed. */
export interface OpenMark {
  /** Inside a step: the file has the note with the first entries that are written, until it is closed. */
  readonly set: () => void;
  /** In a step of its own. */
  readonly clear: () => void;
  /** The file was replaced by an empty one. */
  readonly forget: () => void;
}

/** `model` gives the tables in the file; undefined if they are in memory, which has no such note. */
export function createOpenMark(model: () => Model | undefined): OpenMark {
  let isSet = false;
  return {
    set: () => {
      if (isSet) return;
      const kept = model()?.kept;
      kept?.setOpen(true);
      isSet = kept !== undefined;
    },
    clear: () => {
      const written = model();
      if (!isSet || written === undefined) return;
      written.database.begin();
      written.kept.setOpen(false);
      written.database.commit();
    },
    forget: () => {
      isSet = false;
    },
  };
}
