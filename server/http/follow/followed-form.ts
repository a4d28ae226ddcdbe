import type { Column } from '../../../language/contract/query.ts';
import type { Loss } from '../../operation/follow/seen-rows.ts';
import type { Printing } from '../../operation/follow/printing.ts';
import { positionColumn } from '../../operation/follow/source.ts';
import type { ArrowEncoding } from '../options.ts';
import { makeRoom, writeAscii, writeBytes, writeDigits } from '../representation/byte-sink.ts';
import { jsonObjects } from '../representation/json.ts';
import { byColumn, type Around } from './print-columns.ts';

/** A form of HTTP. */
export interface FollowedForm extends Printing {
  readonly contentType: string;
}

export const eventStreamType = 'text/event-stream';
export const linesType = 'application/x-ndjson';
export const arrowStreamType = 'application/vnd.apache.arrow.stream';

/**
 * Events carry no `event:` line, so that `onmessage` of a page gets all of them, whatever types are added later; with `names` they do. The
 * names of marks begin with `$`, as no name of an event can.
 */
export function serverSentEvents(names: boolean): FollowedForm {
  const around: Around = {
    before: (sink, position, type) => {
      if (names && type !== undefined) {
        const line = Buffer.from(`event: ${type}\n`);
        makeRoom(sink, line.length);
        writeBytes(sink, line, 0, line.length);
      }
      makeRoom(sink, roomOfId);
      writeAscii(sink, 'id: ');
      writeDigits(sink, position);
      writeAscii(sink, '\ndata: ');
    },
    after: Buffer.from('\n\n'),
  };
  const mark = (position: number): string => block('$position', position, `{"global_position":${position}}`);
  return {
    key: names ? 'sse names' : 'sse',
    contentType: eventStreamType,
    hasFixedColumns: false,
    columns: byColumn(around),
    begin: (_, position, retry) => Buffer.from(`retry: ${retry}\n${mark(position)}`),
    rows: ({ columns, rows }) => {
      const object = jsonObjects(columns);
      const at = positionColumn(columns);
      const type = names ? columns.findIndex(({ name }) => name === 'event_type') : -1;
      const blocks = rows.map((row) => {
        const name = row[type];
        return block(typeof name === 'string' ? name : undefined, Number(row[at]), object(row));
      });
      return Buffer.from(blocks.join(''));
    },
    mark: (_, position) => Buffer.from(mark(position)),
    hidden: (_, loss) => Buffer.from(block('$hidden', loss.position, JSON.stringify(hiddenMembers(loss)))),
    end: (_, { reason, position, retry }) =>
      Buffer.from(
        (retry === undefined ? '' : `retry: ${retry}\n`) +
          block('$end', position, JSON.stringify({ reason, global_position: position })),
      ),
  };
}

/** Bytes of a line with a position at most. */
const roomOfId = 64;

/** No text in it has a line end: JSON escapes them, and names of events have none. */
function block(event: string | undefined, id: number, data: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}id: ${id}\ndata: ${data}\n\n`;
}

/** A row has an `event_id`, or the other columns that were asked for; a mark only the position; the end says `control`. */
export const followedLines: FollowedForm = {
  key: 'ndjson',
  contentType: linesType,
  hasFixedColumns: false,
  columns: byColumn({ before: () => undefined, after: Buffer.from('\n') }),
  begin: (_, position) => lineMark(position),
  rows: ({ columns, rows }) => {
    const object = jsonObjects(columns);
    return Buffer.from(rows.map((row) => `${object(row)}\n`).join(''));
  },
  mark: (_, position) => lineMark(position),
  hidden: (_, loss) => Buffer.from(`${JSON.stringify({ control: 'hidden', ...hiddenMembers(loss) })}\n`),
  end: (_, { reason, position, retry }) =>
    Buffer.from(`${JSON.stringify({ control: 'end', reason, global_position: position, retry })}\n`),
};

function hiddenMembers({ streamType, streamId, position }: Loss): {
  readonly stream_type: string;
  readonly stream_id: string;
  readonly global_position: number;
} {
  return { stream_type: streamType, stream_id: streamId, global_position: position };
}

function lineMark(position: number): Uint8Array {
  return Buffer.from(`{"global_position":${position}}\n`);
}

/**
 * Marks are record batches without rows, with the position in their metadata; so is the end, before the end mark of Arrow. Readers such as
 * that of apache-arrow for JavaScript hand a batch over when further bytes come, so rows, and the first mark, are followed by another mark.
 */
export function followedArrowForm(arrow: ArrowEncoding['followed']): FollowedForm {
  const position = (at: number): [string, string] => ['global_position', String(at)];
  const mark = (columns: readonly Column[], at: number): Uint8Array => arrow.mark(columns, new Map([position(at)]));
  return {
    key: 'arrow',
    contentType: arrowStreamType,
    hasFixedColumns: true,
    begin: (columns, at) => Buffer.concat([arrow.schema(columns), mark(columns, at), mark(columns, at)]),
    rows: ({ columns, rows }) => {
      const last = Number(rows.at(-1)?.[positionColumn(columns)]);
      return Buffer.concat([arrow.rows(columns, rows), mark(columns, last)]);
    },
    mark,
    hidden: (columns, loss) => {
      const { stream_type, stream_id } = hiddenMembers(loss);
      const told = new Map([
        ['control', 'hidden'],
        ['stream_type', stream_type],
        ['stream_id', stream_id],
        position(loss.position),
      ]);
      return Buffer.concat([arrow.mark(columns, told), mark(columns, loss.position)]);
    },
    end: (columns, { reason, position: at }) =>
      Buffer.concat([arrow.mark(columns, new Map([['control', 'end'], ['reason', reason], position(at)])), arrow.end]),
  };
}
