/**
 * Ways to ask what a command comes to. A door is a line: it gets a command and gives its answer in one form, so that answers are compared whole.
 * The doors `before` decide without effect, then the command is executed, and those `after` decide what was recorded again.
 */
import { unmasked } from '../../runtime/engine/unmasked.ts';
import type { OpenSession } from '../../server/session/open-session.ts';
import { emptyRegistry } from '../../compiler/index.ts';
import { endOf, openPlace } from '../../server/place/open-place.ts';
import { placeNow } from '../../server/place/place.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { Failure } from '../../language/failure/failure.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { NotRecorded } from '../../runtime/engine/recorded-arguments.ts';
import type { Outcome } from '../../runtime/engine/outcome.ts';
import { rehearse } from '../../runtime/engine/rehearse.ts';
import { inspectEach } from '../../runtime/engine/replay.ts';
import { namedText, rejectionText } from '../../runtime/engine/rejection.ts';

export interface Asked {
  readonly command: string;
  readonly arguments: JsonObject;
}

/** An outcome or a refusal, as one text. */
export type Answer = string;

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** All that an outcome says, without what differs each time. */
function said({ outcome, streamType, streamId, events, rejection, decided }: Outcome): Answer {
  const shown = events.map(
    (event) => `${event.streamType} ${event.streamId} ${event.seq} ${event.type} ${namedText(event.fields)}`,
  );
  const why = rejection === undefined ? [] : [rejectionText(rejection)];
  const branches = `branches ${decided?.branches.join(' ') ?? ''}`;
  return [`${outcome} ${streamType} ${streamId} ${branches}`, ...shown, ...why].join('\n').replaceAll(uuids, '<uuid>');
}

function refused(error: unknown): Answer {
  if (error instanceof NotRecorded) return 'not decidable';
  if (error instanceof Failure) return `${error.code} ${error.message}`;
  throw error;
}

async function answered(work: () => Promise<Outcome>): Promise<Answer> {
  return work().then(said, refused);
}

function outcomeOf(outcomes: readonly { readonly outcome: Outcome }[]): Outcome {
  const [first] = outcomes;
  if (first === undefined || outcomes.length > 1) throw new Error(`one command has ${outcomes.length} outcomes`);
  return first.outcome;
}

async function* one(input: JsonObject): AsyncGenerator<readonly JsonObject[]> {
  yield [input];
}

async function inspected(engine: Engine, asked: Asked, now: bigint): Promise<Outcome> {
  return engine.inspect({ command: asked.command }, one(asked.arguments), now, async (pages) => {
    for await (const page of pages) return outcomeOf(page);
    throw new Error('there is no page of outcomes');
  });
}

type Door = (session: OpenSession, asked: Asked, now: bigint) => Promise<Answer>;

export const before: Readonly<Record<string, Door>> = {
  'INSPECT in a turn': ({ engine }, asked, now) => answered(() => inspected(engine, asked, now)),
  'INSPECT in slices': ({ engine }, asked, now) =>
    answered(async () => {
      const commands = engine.inspectInSlices({ command: asked.command }, [asked.arguments], now, engine.domain());
      for await (const page of commands) return outcomeOf(page);
      throw new Error('there is no page of outcomes');
    }),
  'INSPECT at the end of the log': ({ engine }, asked, now) =>
    answered(async () => {
      const present = placeNow(engine, engine.domain(), () => emptyRegistry);
      const past = await openPlace(present, { moment: await endOf(present, now) });
      try {
        return await inspected(past.engine, asked, now);
      } finally {
        await past.close();
      }
    }),
};

export const execute: Door = ({ engine }, asked) => answered(async () => unmasked(await engine.execute(asked)));

/** Asks a door about the command with the last entry; undefined if none was recorded. */
type DoorAfter = (engine: Engine, entry: number) => Promise<Answer | undefined>;

export const after: Readonly<Record<string, DoorAfter>> = {
  'INSPECT AS OF EACH': async (engine, entry) => {
    const [command] = await recordedAt(engine, entry);
    if (command === undefined) return undefined;
    const { store, rules } = engine;
    for await (const { outcome } of inspectEach(store, engine.domain(), { command, chosen: new Set([entry]), rules }))
      return outcome instanceof Failure ? refused(outcome) : said(outcome);
    return undefined;
  },
};

/** Verdict of a rehearsal of the same schema on the command with that entry. */
export async function rehearsed(engine: Engine, entry: number): Promise<string | undefined> {
  const domain = engine.domain();
  const options = { before: domain, after: domain, since: entry - 1, rules: engine.rules };
  for await (const { kind } of rehearse(engine.store, options)) return kind;
  return undefined;
}

async function recordedAt(engine: Engine, wanted: number): Promise<readonly string[]> {
  for await (const entry of engine.store.log.read(wanted)) return entry.kind === 'command' ? [entry.command] : [];
  return [];
}
