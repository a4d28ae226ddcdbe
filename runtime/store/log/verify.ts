/**
 * `schemac log verify` and `dump`: reads the log of a directory, even if another process owns it, without changing
 * anything.
 */
import { Failure } from '../../../language/failure/failure.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { joinPath, type Disk } from '../disk.ts';
import type { LogEntry } from '../entry.ts';
import { readEntry } from '../read-entry.ts';
import { createSequenceCheck } from '../sequence-check.ts';
import { lostEndFailure } from './lost-end.ts';
import { readLines, segmentPath } from './read.ts';
import { surveyLog, type Segment } from './recover.ts';

export type LogFinding =
  | {
      readonly finding: 'segment';
      readonly file: string;
      readonly firstEntry: number;
      /** Less than the first by one when the segment has no entry. */
      readonly lastEntry: number;
      readonly bytes: number;
    }
  /** Entries and events of a log in a database. */
  | { readonly finding: 'rows'; readonly place: string; readonly entries: number; readonly events: number }
  /** The next start cuts this: an unfinished write that was never acknowledged. */
  | { readonly finding: 'torn'; readonly file: string; readonly offset: number; readonly problem: string }
  /** The store does not start on this. */
  | { readonly finding: 'damage'; readonly problem: string }
  /** Intact, but a value of an event is none that its field can have: it is read as NULL. */
  | { readonly finding: 'unreadable'; readonly problem: string }
  /** Intact, but written by a newer version. */
  | { readonly finding: 'newer'; readonly problem: string };

/** Checks the checksums of every frame, the form of every line, and that numbers, positions and seqs have no gap. */
export async function* verifyLog(
  directory: string,
  disk: Disk = nodeDisk,
): AsyncGenerator<LogFinding, void, undefined> {
  try {
    const { segments, torn, damage, lost } = await surveyLog(disk, directory);
    const sequence = createSequenceCheck();
    for (const segment of segments) {
      const path = joinPath(directory, segment.name);
      for await (const lines of readLines(
        disk,
        directory,
        [segment],
        segment.header.firstEntry,
        segment.nextEntry - 1,
      )) {
        for (const line of lines) {
          const problem = sequence(line, path);
          if (problem instanceof Failure) yield { finding: 'newer', problem: problem.message };
          else if (problem !== undefined) yield { finding: 'damage', problem: `${path}: ${problem}` };
        }
      }
      const holdsNothing = segment.nextEntry === segment.header.firstEntry;
      if (damage === undefined || !holdsNothing) yield segmentFinding(directory, segment);
    }
    if (lost !== undefined) yield { finding: 'damage', problem: lostEndFailure(directory, lost).message };
    else if (torn !== undefined) {
      const { name, offset = 0, problem } = torn;
      yield { finding: 'torn', file: joinPath(directory, name), offset, problem };
    }
    if (damage !== undefined) yield { finding: damage.code === 'R0406' ? 'newer' : 'damage', problem: damage.message };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    yield { finding: 'damage', problem: error.message };
  }
}

/** All entries of a log in order, of a damaged one those before the damage; then throws an R0405, R0406 or R0412. */
export async function* dumpLog(directory: string, disk: Disk = nodeDisk): AsyncGenerator<LogEntry, void, undefined> {
  const { segments, damage, lost } = await surveyLog(disk, directory);
  const last = (segments.at(-1)?.nextEntry ?? 1) - 1;
  for await (const lines of readLines(disk, directory, segments, 1, last)) {
    for (const line of lines) yield readEntry(line, (entry) => segmentPath(directory, segments, entry));
  }
  if (damage !== undefined) throw damage;
  if (lost !== undefined) throw lostEndFailure(directory, lost);
}

function segmentFinding(directory: string, { name, header, nextEntry, end }: Segment): LogFinding {
  return {
    finding: 'segment',
    file: joinPath(directory, name),
    firstEntry: header.firstEntry,
    lastEntry: nextEntry - 1,
    bytes: end,
  };
}
