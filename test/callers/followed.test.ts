/**
 * Followers of a history by chance in which rows appear and disappear: the events that each of them gets, and the controls for streams
 * that are taken from them, computed by the conditions of the tests. `SCHEMAC_FOLLOWED` says how many histories.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChance, parameter, seedOf } from '../crash/chance.ts';
import { pick } from './condition.ts';
import { settable, someCaller, someDomain, type TestDomain } from './domain.ts';
import { everything, put, seesStream, sentArguments, someArguments, writeMember, type Everything } from './history.ts';
import { jsonRows, root, serve, type Asker, type Served } from './served.ts';

const test = suite('followed rows');
const chance = createChance(seedOf('followed rows'));

/** The report of one position to a follower: the event, or that its stream is gone. */
type Told = `event ${string}` | `hidden ${string}`;

interface Written {
  readonly name: string;
  readonly id: string;
  readonly position: number;
  /** All states before and after it. */
  readonly before: Everything['states'];
  readonly after: Everything['states'];
}

async function writeOne(served: Served, domain: TestDomain, { states: before }: Everything): Promise<Written> {
  const { name, fields } = pick(chance, domain.aggregates);
  const id = pick(chance, ['x1', 'x2', 'ada']);
  const given = sentArguments(someArguments(chance, fields), fields);
  const answer = await served.post(root, `/api/aggregates/${name}/execute/Put${name}`, { id, ...given });
  assert.is(answer.status, 200, answer.body.toString());
  const rows = jsonRows((await served.ask(root, '/api/events?select=global_position')).body);
  const { states: after } = await everything(served, domain);
  return { name, id, position: rows.length, before, after };
}

/** The event of a stream that is seen at present, or the one that took its stream away; the members of sets are those of the present. */
function tellsOf(domain: TestDomain, written: Written, asker: Asker, now: Everything): readonly Told[] {
  const { name, id, position, before, after } = written;
  const aggregate = domain.aggregates.find((one) => one.name === name);
  assert.ok(aggregate !== undefined);
  const sees = (states: Everything['states']): boolean => seesStream(aggregate, id, asker, { ...now, states });
  if (sees(now.states)) return [`event ${name} ${id} ${position}`];
  const wasThere = before.get(name)?.has(id) === true;
  return wasThere && sees(before) && !sees(after) ? [`hidden ${name} ${id} ${position}`] : [];
}

interface Line {
  readonly control?: string;
  readonly stream_type?: string;
  readonly stream_id?: string;
  readonly global_position: number;
}

const toldOf = ({ stream_type, stream_id, global_position }: Line, isHidden: boolean): Told =>
  `${isHidden ? 'hidden' : 'event'} ${stream_type} ${stream_id} ${global_position}`;

/** A row has its type; a mark has the position alone. */
const isTold = ({ stream_type }: Line): boolean => stream_type !== undefined;

function ofLines(text: string): readonly Told[] {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line); // as the page on HTTP says
  return lines.filter(isTold).map((line) => toldOf(line, line.control === 'hidden'));
}

function ofMessages(text: string): readonly Told[] {
  return text.split('\n\n').flatMap((message) => {
    const fields = new Map(
      message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const data = fields.get('data');
    if (data === undefined) return [];
    const line = JSON.parse(data) as Line; // as the page on HTTP says
    return isTold(line) ? [toldOf(line, fields.get('event') === '$hidden')] : [];
  });
}

const ways = {
  lines: { accept: 'application/x-ndjson', read: ofLines },
  messages: { accept: 'text/event-stream', read: ofMessages },
} as const;

/** Everything that a stream sends until it ends. */
async function followed(
  served: Served,
  asker: Asker,
  path: string,
  way: keyof typeof ways,
  signal?: AbortSignal,
): Promise<string> {
  const answer = await fetch(served.url + path, {
    headers: {
      Accept: ways[way].accept,
      ...(asker.who.subject === null ? {} : { Authorization: `Bearer ${asker.name}` }),
    },
    ...(signal === undefined ? {} : { signal }),
  });
  assert.is(answer.status, 200);
  return answer.text();
}

for (let at = 0; at < parameter('SCHEMAC_FOLLOWED', 1); at++)
  test(`history ${at}`, async () => {
    const domain = someDomain(chance);
    const plain = Array.from({ length: 4 }, (_, one): Asker => ({
      name: `c${one}`,
      who: someCaller(chance),
      rights: [],
    }));
    const askers: readonly Asker[] = [
      ...plain,
      { name: 'anonymous', who: { subject: null, roles: ['reader'], claims: {} }, rights: [] },
      // Two callers who differ in one right: nothing that is read for one of them is sent to another.
      ...plain.slice(0, 2).map((one): Asker => ({ ...one, name: `${one.name}-whole`, rights: ['rows:all'] })),
      ...plain.slice(0, 1).map((one): Asker => ({ ...one, name: `${one.name}-clear`, rights: ['sensitive:read'] })),
    ];
    const served = await serve(domain.text, askers);
    const count = parameter('SCHEMAC_FOLLOWED_EVENTS', 10);
    const check = async (asker: Asker, written: Written, now: Everything): Promise<readonly Told[]> => {
      const expected = tellsOf(domain, written, asker, now);
      const base = `/api/aggregates/${written.name}/events`;
      const path = pick(chance, ['/api/events', base, base, `${base}/${written.id}`]);
      const range = `follow=true&after=${written.position - 1}&until=${written.position}`;
      const way = pick(chance, ['lines', 'messages'] as const);
      const text = await followed(served, asker, `${path}?${range}`, way);
      assert.equal(ways[way].read(text), expected, `${asker.name} ${path} ${range} ${text}`);
      return expected;
    };
    try {
      const live = new Map(
        askers.map((asker) => {
          const way = pick(chance, ['lines', 'messages'] as const);
          const whole = followed(served, asker, `/api/events?follow=true&until=${count}`, way);
          return [asker.name, { way, whole, expected: [] as Told[] }] as const;
        }),
      );
      const history: Written[] = [];
      let now = await everything(served, domain);
      for (let one = 0; one < count; one++) {
        const written = await writeOne(served, domain, now);
        history.push(written);
        now = await everything(served, domain);
        for (const asker of askers) {
          live.get(asker.name)?.expected.push(...(await check(asker, written, now)));
          await check(asker, pick(chance, history), now);
        }
      }
      for (const [name, { way, whole, expected }] of live) {
        const text = await whole;
        assert.equal(ways[way].read(text), expected, `${name} ${way}: ${text}`);
      }
      // Members come, go and change, and with them what the subqueries give.
      for (let one = 0; one < count; one++) {
        await writeMember(chance, served);
        now = await everything(served, domain);
        for (const asker of askers) await check(asker, pick(chance, history), now);
      }
    } finally {
      await served.stop();
    }
  });

test('what was read for one caller, or before, is sent to no other', async () => {
  const columns = { id: 'STRING', owner: 'STRING' } as const;
  const askerOf = (name: string, rights: Asker['rights'] = []): Asker => ({
    name,
    who: { subject: 'ada', roles: [], claims: {} },
    rights,
  });
  const [plain, whole, other] = [
    askerOf('plain'),
    askerOf('whole', ['rows:all']),
    { ...askerOf('other'), who: { subject: 'bo', roles: [], claims: {} } },
  ];
  const schema = settable('Note', columns, 'VISIBLE WHERE owner = CURRENT_USER');
  const served = await serve(schema, [plain, whole, other]);
  const told = async (asker: Asker, until: number): Promise<readonly Told[]> => {
    const path = `/api/aggregates/Note/events?follow=true&after=${until - 1}&until=${until}`;
    return ofLines(await followed(served, asker, path, 'lines'));
  };
  const stop = new AbortController();
  try {
    // Pages are kept while a caller follows.
    const kept = followed(served, whole, '/api/events?follow=true', 'lines', stop.signal).catch(() => '');
    await put(served, 'Note', { id: 'n' }, { owner: 'ada' });
    assert.equal([await told(plain, 1), await told(other, 1)], [['event Note n 1'], []]);
    await put(served, 'Note', { id: 'n' }, { owner: 'bo' });
    assert.equal(await told(whole, 2), ['event Note n 2']);
    assert.equal([await told(plain, 1), await told(plain, 2)], [[], ['hidden Note n 2']]);
    assert.equal([await told(other, 1), await told(other, 2)], [['event Note n 1'], ['event Note n 2']]);
    assert.equal(await told(whole, 1), ['event Note n 1']);
    stop.abort();
    await kept;
  } finally {
    await served.stop();
  }
});

test.run();
