/**
 * A stream that a caller does not see answers as one that was never written: the same status, headers and bytes on every read, the same
 * refusals and rejections of commands. `SCHEMAC_REQUESTS` says how many requests each route gets for the times that are printed.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChance, parameter, seedOf } from '../crash/chance.ts';
import { settable, someCaller, someDomain, type Aggregate } from './domain.ts';
import { everything, put, seesStream, writeSome } from './history.ts';
import { forms, root, serve, type Answer, type Asker, type Served } from './served.ts';

const test = suite('unseen streams');
const chance = createChance(seedOf('unseen streams'));

/** Headers of the request itself, and the place in the log. */
const ofRequest = new Set(['date', 'x-request-id', 'schemac-entry']);

/** An answer as text, in which the name of the stream is left out. */
function told({ status, headers, body }: Answer, id: string): string {
  const kept = [...headers].filter(([name]) => !ofRequest.has(name)).sort();
  const bare = [id, encodeURIComponent(id)].reduce((rest, name) => rest.replaceAll(name, '…'), body.toString('latin1'));
  return `${status}\n${kept.map((header) => header.join(': ')).join('\n')}\n\n${bare}`;
}

type Question = (served: Served, asker: Asker, id: string) => Promise<Answer>;

function questionsOf({ name }: Aggregate): Readonly<Record<string, Question>> {
  const base = `/api/aggregates/${name}`;
  const reads = (id: string): readonly string[] => [
    `${base}/${id}`,
    `${base}/${id}?select=mark`,
    `${base}/${id}?limit=0`,
    `${base}/${id}?n[gte]=-1`,
    `${base}/${id}?as_of=8`,
    `${base}/events/${id}`,
    `${base}/events/${id}?order=global_position.desc&limit=2`,
    `${base}/events/${id}?after=1`,
    `${base}/events/${id}?as_of=8`,
    `${base}?aggregate_id=${id}`,
    `${base}/events?stream_id=${id}`,
    `${base}/commands?stream_id=${id}`,
    `/api/events?stream_id=${id}&event_type=${name}Put`,
    `/api/projections/${name}Rows/query?id=no-such-row`,
    `${base}/events/${id}?follow=true&until=6`,
  ];
  const asked: Record<string, Question> = {};
  for (const at of reads('').keys())
    for (const [form, { accept }] of [...Object.entries(forms), ['html', { accept: 'text/html' }] as const])
      for (const method of ['GET', 'HEAD'])
        asked[`${method} ${reads('…')[at]} ${form}`] = (served, asker, id) =>
          served.ask(asker, String(reads(encodeURIComponent(id))[at]), {
            method,
            headers: { Accept: accept, Prefer: 'count=exact' },
          });
  asked['stream of events'] = (served, asker, id) =>
    served.ask(asker, `${base}/events/${encodeURIComponent(id)}?until=6`, { headers: { Accept: 'text/event-stream' } });
  asked['console'] = (served, asker, id) =>
    served.post(asker, '/api/query', {
      sql: `SELECT * FROM Reg."${name}$Agg" WHERE aggregate_id = :id`,
      params: { id },
    });
  const touch = (query: string, headers: Readonly<Record<string, string>>): Question => {
    return (served, asker, id) => served.post(asker, `${base}/execute/Touch${name}${query}`, { id }, headers);
  };
  asked['rejection'] = touch('', {});
  asked['rejection, explained'] = touch('?explain=true', {});
  asked['rejection, csv'] = touch('', { Accept: 'text/csv' });
  for (const seq of ['1', '2', '3', '7', '0x']) asked[`If-Match ${seq}`] = touch('', { 'If-Match': `"${seq}"` });
  asked['If-Match, problem'] = touch('', { 'If-Match': '"9"', Accept: 'application/json, application/problem+json' });
  asked['If-Match with a tag'] = touch('', { 'If-Match': '"1.abc-def"' });
  asked['inspection'] = (served, asker, id) =>
    served.post(asker, '/api/inspect', { decision: `Touching${name}`, commands: [{ id }] });
  return asked;
}

/** Without ids and times of the request, the wait that is drawn for a reader, and notes that a stream that was seen is gone. */
const settled = (text: string): string =>
  text
    .replace(/"event_id":"[^"]*"/g, '')
    .replace(/"occurred_at":"[^"]*"/g, '')
    .replace(/^content-length: .*$/m, '')
    .replace(/^retry: .*$/m, '')
    .replace(/^event: \$hidden\n(?:.+\n)+\n/gm, '')
    .replace(/^\{"control":"hidden".*\n/gm, '');

/** Begins with a caller and a stream that he does not see. */
async function begin() {
  for (;;) {
    const domain = someDomain(chance);
    const askers = Array.from({ length: 5 }, (_, at): Asker => ({
      name: `c${at}`,
      who: someCaller(chance),
      rights: [],
    }));
    const served = await serve(domain.text, askers);
    await writeSome(chance, served, domain, 25);
    const every = await everything(served, domain);
    const cases = askers.flatMap((asker) =>
      domain.aggregates.flatMap((aggregate) => {
        const unseen = [...(every.states.get(aggregate.name)?.keys() ?? [])].filter(
          (id) => /^x\d$/.test(id) && !seesStream(aggregate, id, asker, every),
        );
        return unseen.map((id) => ({ asker, aggregate, id }));
      }),
    );
    if (cases.length > 0) return { served, cases };
    await served.stop();
  }
}

/** An id as long as another, of no stream. */
const absent = (id: string): string => 'q'.repeat(id.length);

for (let at = 0; at < parameter('SCHEMAC_UNSEEN', 1); at++)
  test(`domain ${at}`, async () => {
    const { served, cases } = await begin();
    try {
      for (const { asker, aggregate, id } of cases.slice(0, 3)) {
        const tags = await Promise.all(
          [`/api/aggregates/${aggregate.name}/${id}`, `/api/aggregates/${aggregate.name}/events/${id}`].map(
            async (path) => {
              const seen = await served.ask(root, path);
              return { path, tag: String(seen.headers.get('etag')) };
            },
          ),
        );
        for (const [about, question] of Object.entries(questionsOf(aggregate))) {
          const [shown, wanted] = [await question(served, asker, id), await question(served, asker, absent(id))];
          assert.is(
            settled(told(shown, id)),
            settled(told(wanted, absent(id))),
            `${asker.name} ${aggregate.name} ${id}: ${about}`,
          );
        }
        // Tags of one who sees it, and of its seq alone, validate nothing.
        for (const { path, tag } of tags) {
          const { status } = await served.ask(asker, path, { headers: { 'If-None-Match': tag } });
          assert.is(status, path.includes('/events/') ? 200 : 404, `${asker.name} ${path} ${tag}`);
        }
      }
    } finally {
      await served.stop();
    }
  });

test('a stream that is seen is found, also where a filter or a limit leaves its row out', async () => {
  const [ada, bo] = ['ada', 'bo'].map((subject): Asker => ({
    name: subject,
    who: { subject, roles: [], claims: {} },
    rights: [],
  }));
  assert.ok(ada !== undefined && bo !== undefined);
  const served = await serve(
    settable('Note', { id: 'STRING', owner: 'STRING' }, 'VISIBLE WHERE owner = CURRENT_USER'),
    [ada, bo],
  );
  try {
    await put(served, 'Note', { id: 'n' }, { owner: 'ada' });
    const statuses = async (asker: Asker): Promise<readonly number[]> =>
      Promise.all(
        ['', '?owner=bo', '?limit=0', '?offset=1'].map(
          async (query) => (await served.ask(asker, `/api/aggregates/Note/n${query}`)).status,
        ),
      );
    assert.equal(
      [await statuses(root), await statuses(ada), await statuses(bo)],
      [
        [200, 200, 200, 200],
        [200, 200, 200, 200],
        [404, 404, 404, 404],
      ],
    );
  } finally {
    await served.stop();
  }
});

const requests = parameter('SCHEMAC_REQUESTS', 0);
if (requests > 0)
  test('times of an unseen and an absent stream, printed', async () => {
    const { served, cases } = await begin();
    try {
      const [first] = cases;
      assert.ok(first !== undefined);
      const { asker, aggregate, id } = first;
      const base = `/api/aggregates/${aggregate.name}`;
      for (const path of [`${base}/…`, `${base}/events/…`, `${base}?aggregate_id=…`]) {
        const times: Record<'unseen' | 'absent', number[]> = { unseen: [], absent: [] };
        for (let round = 0; round < requests; round++)
          for (const kind of round % 2 === 0 ? (['unseen', 'absent'] as const) : (['absent', 'unseen'] as const)) {
            const start = performance.now();
            await served.ask(asker, path.replace('…', kind === 'unseen' ? id : absent(id)));
            times[kind].push(performance.now() - start);
          }
        const median = (some: readonly number[]): string =>
          `${([...some].sort((one, other) => one - other)[some.length >> 1] ?? 0).toFixed(3)} ms`;
        console.log(
          `${path}: unseen ${median(times.unseen)}, absent ${median(times.absent)}, ${requests} requests each`,
        );
      }
    } finally {
      await served.stop();
    }
  });

test.run();
