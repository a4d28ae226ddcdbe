/**
 * Prints the findings of a rehearsal, as text with the first examples, or as one JSON object with all differences; neither is held in
 * memory.
 */
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import type { RehearsedCommand, ShownEvent, ShownOutcome } from '../../runtime/engine/rehearse.ts';
import type { Output } from '../shell.ts';
import type { ExpectedDifferences } from './expected-differences.ts';
import {
  countRehearsed,
  differenceJson,
  eventDataText,
  rehearsalMembers,
  type ProjectionChanges,
  type RehearsalCounts,
  type Rehearsed,
} from '../../server/operation/rehearse/rehearsal-json.ts';

export interface RehearsalReport {
  readonly add: (command: RehearsedCommand) => void;
  /** Counts of commands that another process has decided: unchanged outcomes are in no `add`. */
  readonly count: (
    decisions: ReadonlyMap<string, RehearsalCounts>,
    of: { readonly commands: number; readonly undecidable: number },
  ) => void;
  readonly end: (projections: readonly ProjectionChanges[]) => {
    /** Commands that could be decided. */
    readonly decided: number;
    /** Something differs that was not expected. */
    readonly unexpected: boolean;
  };
}

const differing = ['other_events', 'now_rejected', 'now_accepted', 'failed'] as const;
type Differing = (typeof differing)[number];
const words: Readonly<Record<Differing, string>> = {
  other_events: 'with other events',
  now_rejected: 'now rejected',
  now_accepted: 'now accepted',
  failed: 'failed',
};

/** Differences of one kind that a text shows for each decision. */
const mostExamples = 3;

export function createRehearsalReport(
  output: Output,
  { json, expected }: { readonly json: boolean; readonly expected: ExpectedDifferences },
): RehearsalReport {
  const rehearsed: Rehearsed = { commands: 0, undecidable: 0, decisions: new Map() };
  /** The first differences of each kind, by decision. */
  const examples = new Map<string, RehearsedCommand[]>();
  let different = 0;
  let met = 0;
  if (json) output.write('{"differences":[');

  return {
    add: (command) => {
      if (!countRehearsed(rehearsed, command)) return;
      const { decision, entry, kind } = command;
      if (expected.commands.get(entry) === kind) met += 1;
      const shown = examples.get(decision) ?? [];
      if (json) output.write(`${different === 0 ? '' : ','}${differenceJson(command)}`);
      else if (shown.filter((example) => example.kind === kind).length < mostExamples)
        examples.set(decision, [...shown, command]);
      different += 1;
    },
    count: (counted, of) => {
      for (const [decision, counts] of counted) rehearsed.decisions.set(decision, { ...counts });
      Object.assign(rehearsed, of);
    },
    end: (projections) => {
      const changed = projections.filter(({ name }) => !expected.projections.has(name));
      const unexpected = different > met || changed.length > 0;
      const { decisions, undecidable } = rehearsed;
      const decided = rehearsed.commands - undecidable;
      if (json) output.write(`],${rehearsalMembers(rehearsed, projections)}}\n`);
      else {
        output.write(headText(decided, decisions.size, undecidable));
        for (const [name, counts] of decisions) output.write(decisionText(name, counts, examples.get(name)));
        for (const one of projections) output.write(projectionText(one));
        if (expected.commands.size > 0)
          output.write(`${different - met} not expected, ${expected.commands.size - met} expected and not found\n`);
        output.write('each command was decided on the recorded history: nothing follows from outcomes that differ\n');
      }
      return { decided, unexpected };
    },
  };
}

function headText(decided: number, decisions: number, undecidable: number): string {
  const rest = undecidable === 0 ? '' : `; ${undecidable} not decidable, because their arguments were not recorded`;
  return `${plural(decided, 'command')} of ${plural(decisions, 'decision')} decided again${rest}\n`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function decisionText(name: string, counts: RehearsalCounts, examples: readonly RehearsedCommand[] = []): string {
  const found = differing.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${words[kind]}`);
  const lines = [`${name}: ${[`${counts.same} same`, ...found].join(', ')}`];
  for (const { entry, streamId, command, kind, was, is } of examples) {
    if (kind === 'same' || kind === 'not_decidable') continue;
    lines.push(`  entry ${entry}, ${command} of ${visibleText(streamId)}: ${words[kind]}`);
    lines.push(...changeLines(was(), is()).map((line) => `    ${visibleText(line)}`));
  }
  return `${lines.join('\n')}\n`;
}

/** Field by field if the same events are emitted, else both outcomes. */
function changeLines(was: ShownOutcome, is: ShownOutcome): readonly string[] {
  const names = ({ events }: ShownOutcome): string => events.map(eventName).join(', ');
  if (was.outcome !== 'emitted' || is.outcome !== 'emitted' || names(was) !== names(is))
    return [`was ${outcomeText(was)}`, `is ${outcomeText(is)}`];
  return was.events.flatMap((event, at) => {
    const now = is.events[at]?.data ?? new Map<string, string>();
    const fields = [...new Set([...event.data.keys(), ...now.keys()])];
    const changed = fields.filter((name) => (event.data.get(name) ?? 'null') !== (now.get(name) ?? 'null'));
    return changed.map(
      (name) => `${event.event_type}: ${name} was ${event.data.get(name) ?? 'null'}, is ${now.get(name) ?? 'null'}`,
    );
  });
}

function outcomeText({ outcome, events, reason }: ShownOutcome): string {
  if (outcome === 'emitted') return events.map((event) => `${eventName(event)} ${eventDataText(event)}`).join(', ');
  return reason === undefined ? outcome : `${outcome} ${reason}`;
}

function eventName({ event_type, stream_type, stream_id }: ShownEvent): string {
  return `${event_type} to ${stream_type} ${stream_id}`;
}

function projectionText(one: ProjectionChanges): string {
  return 'problem' in one
    ? `${one.name}: not compared: ${one.problem}\n`
    : [
        `${one.name}: ${one.added} rows added, ${one.gone} gone, ${one.changed} changed`,
        ...one.examples.added.map((row) => `  added ${visibleText(row)}`),
        ...one.examples.gone.map((row) => `  gone ${visibleText(row)}`),
        ...one.examples.changed.flatMap(({ was, is }) => [`  was ${visibleText(was)}`, `  is  ${visibleText(is)}`]),
        '',
      ].join('\n');
}
