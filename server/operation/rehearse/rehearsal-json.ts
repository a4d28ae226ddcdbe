/** A rehearsal as JSON (docs/production.md#what-would-have-been-decided): the output of `rehearse --json` and the answer of a server. */
import { trustedJson } from '../../../language/values/json-value.ts';
import type { JsonObject } from '../../../language/values/json.ts';
import { writeJsonValue } from '../../../language/values/json-write.ts';
import type { RehearsalKind, RehearsedCommand, ShownEvent, ShownOutcome } from '../../../runtime/engine/rehearse.ts';
import type { RowChanges } from './relation-rows.ts';

export type ProjectionChanges = { readonly name: string } & (
  | Omit<RowChanges, 'before' | 'after'>
  | { readonly problem: string }
);

/** Outcomes of one decision, by their kind. */
export type RehearsalCounts = Readonly<Record<Exclude<RehearsalKind, 'not_decidable'>, number>>;

/** An element of `differences`. */
export function differenceJson({ entry, decision, command, streamId, kind, was, is }: RehearsedCommand): string {
  const facts = JSON.stringify({ entry, decision, command, stream_id: streamId, kind }).slice(1, -1);
  const now = is();
  return `{${facts},"was":${outcomeJson(was())},"is":${outcomeJson(now)}${termsJson(now)}}`;
}

/** The guards of a command that is rejected now, with their terms. */
function termsJson({ outcome, reason }: ShownOutcome): string {
  if (outcome !== 'rejected' || reason === undefined) return '';
  const guards = (trustedJson(reason) as JsonObject).get('guards');
  return guards === undefined ? '' : `,"terms":${writeJsonValue(guards)}`;
}

function outcomeJson({ outcome, events, reason }: ShownOutcome): string {
  const shown = events.map((event) => {
    const { data: _, ...facts } = event;
    return `${JSON.stringify(facts).slice(0, -1)},"data":${eventDataText(event)}}`;
  });
  const why = reason === undefined ? '' : `,"reason":${JSON.stringify(reason)}`;
  return `{"outcome":"${outcome}","events":[${shown.join(',')}]${why}}`;
}

/** The fields of an event as a JSON object. */
export function eventDataText({ data }: ShownEvent): string {
  return `{${Array.from(data, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** Commands that were decided again, by decision. */
export interface Rehearsed {
  commands: number;
  undecidable: number;
  readonly decisions: Map<string, Record<keyof RehearsalCounts, number>>;
}

/** Counts a command, and says whether its outcome differs. */
export function countRehearsed(rehearsed: Rehearsed, { decision, kind }: RehearsedCommand): boolean {
  rehearsed.commands += 1;
  if (kind === 'not_decidable') {
    rehearsed.undecidable += 1;
    return false;
  }
  const none = { same: 0, other_events: 0, now_rejected: 0, now_accepted: 0, failed: 0 };
  const counts = rehearsed.decisions.get(decision) ?? none;
  rehearsed.decisions.set(decision, counts);
  counts[kind] += 1;
  return kind !== 'same';
}

/** The members other than `differences`, without braces. */
export function rehearsalMembers(
  { commands, undecidable, decisions }: Rehearsed,
  projections: readonly ProjectionChanges[],
): string {
  const counted = Array.from(decisions, ([decision, { same, other_events, now_rejected, now_accepted, failed }]) => ({
    decision,
    same,
    other_events,
    now_rejected,
    now_accepted,
    failed,
  }));
  const facts = JSON.stringify({ commands, not_decidable: undecidable, decisions: counted }).slice(1, -1);
  return `${facts},"projections":[${projections.map(projectionJson).join(',')}]`;
}

/** The rows of examples are JSON already. */
function projectionJson(one: ProjectionChanges): string {
  if ('problem' in one) return JSON.stringify(one);
  const { name, added, gone, changed, examples } = one;
  const pairs = examples.changed.map(({ was, is }) => `{"was":${was},"is":${is}}`);
  const rows = `{"added":[${examples.added.join(',')}],"gone":[${examples.gone.join(',')}],"changed":[${pairs.join(',')}]}`;
  return `${JSON.stringify({ name, added, gone, changed }).slice(0, -1)},"examples":${rows}}`;
}
