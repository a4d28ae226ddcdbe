/** Executes one history of commands: it has the same outcomes, rejections and refusals at every door. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { emitProject } from '../../compiler/emit/project/emit-project.ts';
import { withServedProject } from '../client/served-client.ts';
import { catalogOf } from '../emit/compiled.ts';
import { commandCases, commandSchema } from './command-cases.ts';
import { commandDoors, type Answer, type CommandClient, type CommandDoor, type SentTo } from './command-doors.ts';

/** Known disagreements, by door and case, with the reason. A case that agrees fails. */
const known: Readonly<Record<string, string>> = {};

const first = 'many in a request';

/** Digits that no answer has by itself, so that each door has streams of its own. */
const mark = (door: number): string => String(94_010 + door);

async function sent(place: SentTo, { send }: CommandDoor, number: number): Promise<readonly Answer[]> {
  const own = mark(number);
  const history = commandCases.map(({ command, given }) => ({
    command,
    given: JSON.parse(JSON.stringify(given).replaceAll('@', own)) as typeof given,
  }));
  const answers = await send(place, history);
  return JSON.parse(JSON.stringify(answers).replaceAll(own, '@')) as readonly Answer[];
}

/** The members of an answer that a door has, and another one like it. */
function shownBy(
  { lacks = [], like = first }: CommandDoor,
  answer: Answer | undefined,
  other: Answer | undefined,
): unknown {
  const { code, ...rest } = answer ?? { outcome: 'refused' };
  // The compiler refuses a text in words of its own.
  if (like === first && [code, other?.code].some((each) => each?.startsWith('E') === true)) return rest.outcome;
  const events = rest.events?.map((event) => ({
    ...event,
    seq: lacks.includes('seq') ? null : event.seq,
    fields: lacks.includes('slip') ? { ...(event.fields as object), slip: null } : event.fields,
  }));
  // The refusal of a whole request has a status in place of a code.
  const hasCode = !lacks.includes('code') && other?.code !== undefined && code !== undefined;
  return { ...rest, ...(events && { events }), ...(hasCode && { code }) };
}

test('a history at every door', async () => {
  const answers = new Map<string, readonly Answer[]>();
  const files = await emitProject(catalogOf(commandSchema), { version: '0.0.0', exportText: commandSchema });
  await withServedProject<CommandClient>(files, async ({ url, folder, createClient }) => {
    const place: SentTo = { url, folder, client: (format) => createClient({ format }) };
    for (const [number, [name, door]] of Object.entries(commandDoors).entries())
      answers.set(name, await sent(place, door, number));
  });
  const said = answers.get(first) ?? [];
  assert.equal(
    said.map(({ outcome, code }, at) => [commandCases[at]?.what, code ?? outcome]),
    commandCases.map(({ what, command, says }) => [what, command === 'Nope' ? 'refused' : says]),
  );
  const differing: string[] = [];
  for (const [name, door] of Object.entries(commandDoors))
    for (const [at, { what }] of commandCases.entries()) {
      const [own, other] = [answers.get(name)?.[at], answers.get(door.like ?? first)?.[at]];
      const [got, wanted] = [shownBy(door, own, other), shownBy(door, other, own)].map((shown) =>
        JSON.stringify(shown),
      );
      const place = `${name}: ${what}`;
      if (got !== wanted && known[place] === undefined) differing.push(`${place}\n  ${got}\n  ${wanted}`);
      if (got === wanted && known[place] !== undefined) differing.push(`${place} agrees, and is marked`);
    }
  assert.is(differing.join('\n'), '');
});

test.run();
