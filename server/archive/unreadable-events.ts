/** Events of a log that its own registry cannot read whole: `log verify` names them, and an import that brings one is refused. */
import { createHandlers } from '../../runtime/engine/handlers.ts';
import type { OpenLog } from '../../runtime/store/transfer/open-log.ts';
import { unreadableFields } from '../../runtime/store/event-reader.ts';
import { unreadableText } from '../../runtime/store/unreadable-text.ts';
import { readLog } from './readable-log.ts';

/** A sentence for each, in the order of the log. */
export async function* unreadableEvents(
  log: Pick<OpenLog, 'read'>,
  version: string,
): AsyncGenerator<string, void, undefined> {
  const { domain } = await readLog(log, version);
  const { reader } = createHandlers(domain);
  for await (const entry of log.read(1)) {
    if (entry.kind !== 'command') continue;
    for (const event of entry.events)
      for (const field of unreadableFields(reader(event.type), event, entry.at)) yield unreadableText(event, field);
  }
}
