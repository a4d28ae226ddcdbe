/**
 * The relations `R$Waiting` and `R$Reacted` (docs/language.md#reaction): the commands that a reaction has to send later, and the answers
 * that it has in the log. They are read when a query names them.
 */
import type { ReactionRelation } from '../../language/contract/reaction-relations.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { WaitingTask } from '../../runtime/engine/reactions.ts';
import type { CommandEntry, LogEntry } from '../../runtime/store/entry.ts';
import type { Row } from '../../runtime/store/store.ts';

const pageRows = 1_000;

/** Rows of the relation page by page: waiting commands in the order of due times, answers in the order of the log. */
export function reactionRows(
  engine: Engine,
  reaction: string,
  relation: ReactionRelation,
): AsyncIterable<readonly Row[]> {
  return relation === '$Waiting' ? waitingRows(engine, reaction) : reactedRows(engine, reaction);
}

async function* waitingRows({ reactions }: Engine, name: string): AsyncGenerator<readonly Row[], void, undefined> {
  let last: WaitingTask | undefined;
  for (;;) {
    const page = await reactions.waiting(name, pageRows, last);
    if (page.length > 0)
      yield page.map((task): Row => {
        const { due, position, eventId, eventType, streamId, branch, command } = task;
        return [due, BigInt(position), eventId, eventType, streamId, branch, command, task.arguments];
      });
    if (page.length < pageRows) return;
    last = page.at(-1);
  }
}

async function* reactedRows({ store }: Engine, name: string): AsyncGenerator<readonly Row[], void, undefined> {
  let page: Row[] = [];
  for await (const entry of store.log.read(1)) {
    if (entry.kind !== 'command' || entry.cells?.reaction?.name !== name) continue;
    const row = reactedRow(entry, entry.cells.reaction);
    if (row === undefined) continue;
    page.push(row);
    if (page.length < pageRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

type Mark = NonNullable<NonNullable<CommandEntry['cells']>['reaction']>;

/** Undefined for an entry that only says how far the reaction has examined the log. */
function reactedRow(entry: CommandEntry & LogEntry, mark: Mark): Row | undefined {
  const outcome = outcomeOf(entry, mark);
  if (outcome === undefined) return undefined;
  const { command, streamId, events, causationId, cells } = entry;
  const isCommand = outcome === 'emitted' || outcome === 'rejected';
  return [
    BigInt(entry.number),
    BigInt(entry.at),
    mark.position === 0 ? null : BigInt(mark.position),
    causationId ?? null,
    isCommand ? labelOf(entry, mark) : (mark.branch ?? null),
    outcome,
    isCommand ? command : null,
    isCommand ? streamId : null,
    events.map(({ position }) => BigInt(position)),
    cells?.failure ?? null,
    cells?.subject ?? null,
  ];
}

function outcomeOf({ command, rejection, cells }: CommandEntry, mark: Mark): string | undefined {
  if (mark.is !== undefined) return mark.is;
  if (cells?.failure !== undefined) return 'parked';
  if (command === '') return mark.position === 0 ? undefined : 'nothing';
  return rejection === undefined ? 'emitted' : 'rejected';
}

/** The mark of branches that were answered together has no label, the id of each command has its own. */
function labelOf({ commandId = '', causationId = '' }: CommandEntry, { name, generation }: Mark): string {
  return commandId.slice(`$r/${name}/${generation}/`.length, -`/${causationId}`.length);
}
