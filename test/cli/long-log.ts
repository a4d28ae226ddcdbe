import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk, systemRandom } from '../../runtime/store/disk/node-disk.ts';
import { encodeLine } from '../../runtime/store/line.ts';
import { openLog } from '../../runtime/store/log/log.ts';
import { writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';

/** A note that is empty is rejected, and leaves nothing in the log. */
export const notes = `CREATE AGGREGATE Note;
CREATE COMMAND Write (note_id STRING, body STRING);
CREATE EVENT Written (body STRING);
CREATE DECISION WriteIt FOR Note ON COMMAND Write EMIT AS SELECT EVENT Written (body := :body) WHERE :body <> '';
CREATE PROJECTION Notes AS SELECT COUNT(*) AS notes, MAX(global_position) AS last FROM Reg."Note$Events";
`;

export interface LongLog {
  readonly megabytes: number;
  /** Size of each event, in bytes. */
  readonly body: number;
}

/** Fills `<folder>/data` with events of `notes`, as a store would write them, without deciding each; gives their number. */
export async function writeLongLog(folder: string, { megabytes, body }: LongLog): Promise<number> {
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, { 'schema/notes.schema': notes });
  const { status, stderr } = await runToolHere(['run', 'schema/notes.schema', '--data', 'data'], { cwd: folder });
  if (status !== 0) throw new Error(stderr);
  const journal = await openLog({
    directory: join(folder, 'data'),
    disk: nodeDisk,
    random: systemRandom,
    fsync: false,
    rolloverBytes: 64 * 1024 * 1024,
    log: () => undefined,
    lost: () => undefined,
  });
  const events = Math.ceil((megabytes * 1e6) / body);
  const data = JSON.stringify({ body: 'word '.repeat(body / 5) });
  // Behind the blocks in time too.
  const began = Date.now() * 1000;
  let after = await journal.fresh();
  const first = after.entry;
  for (let position = 1; position <= events;) {
    const lines: string[] = [];
    for (let size = 0; size < 1e6 && position <= events; size += body, position += 1) {
      const own = { streamType: 'Note', streamId: `n${position % 997}` };
      const seq = Math.ceil(position / 997);
      const id = `01a0${position.toString(16).padStart(22, '0')}`;
      const event = { ...own, position, id, type: 'Written', version: 1, seq, data };
      const at = String(began + position);
      lines.push(
        encodeLine({ ...own, kind: 'command', number: first + position, at, command: 'Write', events: [event] }),
      );
    }
    await journal.append({ after, id: `notes to ${position}`, lines });
    after = await journal.fresh();
  }
  await journal.close();
  return events;
}

/** Removes images, as after an import or from a backup of the log alone. */
export function removeImages(folder: string): void {
  for (const name of readdirSync(join(folder, 'data')))
    if (/^(snapshot-|read-model\.|log\.checked|.*\.idx$)/.test(name)) rmSync(join(folder, 'data', name));
}
