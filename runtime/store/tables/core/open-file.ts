/**
 * Opens the model in a file. The file is derived from the log: a damaged file, or one that another version wrote, is replaced by an empty
 * one.
 */
import { nodeFileSystem } from '../../disk/node-file-system.ts';
import type { ModelFile } from '../files/model-file.ts';
import type { DatabasePlace, Engine } from './engine.ts';
import { notOurs, UnwritableFile } from '../files/database-file.ts';
import { journalOf } from '../files/system-calls.ts';
import { openModel, type Model } from './model.ts';

/** Time that the writer waits for readers before it tries again later, in ms. */
const writerPatience = 20;

export interface OpenedFile {
  readonly model: Model;
  /** The reason why an earlier file was removed. */
  readonly dropped?: string;
  /** The process that wrote it last did not close it. */
  readonly unclean: boolean;
}

/** Throws an `UnwritableFile` when the disk is full or fails. */
export function openModelFile(engine: Engine, file: ModelFile): OpenedFile {
  // Opening it may already undo writes of its next owner.
  if (file.owner !== undefined && !nodeFileSystem.isAt(file.owner)) throw new UnwritableFile(notOurs);
  try {
    const model = openModel(engine, placeOf(file));
    return { model, unclean: model.kept.isOpen() };
  } catch (error) {
    if (error instanceof UnwritableFile) throw error;
    removeModelFile(file);
    const dropped = error instanceof Error ? error.message : String(error);
    return { model: openModel(engine, placeOf(file)), dropped, unclean: false };
  }
}

export function removeModelFile({ path }: ModelFile): void {
  nodeFileSystem.remove(path);
  nodeFileSystem.remove(journalOf(path));
}

function placeOf(file: ModelFile): DatabasePlace {
  return { in: 'file', file: { ...file, patience: writerPatience, files: nodeFileSystem } };
}
