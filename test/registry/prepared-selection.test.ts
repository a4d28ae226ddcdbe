import { unmasked } from '../../runtime/engine/unmasked.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Selection } from '../../language/contract/selection.ts';
import { preparedSelection } from '../../server/operation/read/prepared-selection.ts';
import { createSampleEngine } from '../http/sample-engine.ts';

const test = suite('prepared selections');

test('a prepared query equals the compiled selection, and is used for no other selection', async () => {
  const { engine, services, append, close } = await createSampleEngine(false);
  await append(40, 5);
  const domain = engine.domain();
  const state = (domain.aggregates.find(({ name }) => name === 'Bike')?.stateColumns ?? []).map(({ name }) => name);
  const whole: readonly Selection[] = [
    { relation: 'Bike$Agg', columns: state, filters: [], order: [] },
    { relation: 'Fleet', columns: ['model', 'bikes'], filters: [], order: [] },
  ];
  for (const selection of whole) {
    const query = preparedSelection(domain, selection);
    const compiled = await services.select(domain, selection);
    if (query === undefined) throw new Error(`${selection.relation} is not prepared`);
    const wanted = unmasked(await engine.query(compiled.query, compiled.parameters, {}));
    assert.ok(wanted.rows.length > 0);
    assert.equal(await engine.query(query, [], {}), wanted);
  }
  const [bikes, fleet] = whole as [Selection, Selection];
  const others: readonly Selection[] = [
    { ...bikes, limit: 1 },
    { ...bikes, offset: 0 },
    { ...bikes, filters: [{ column: 'aggregate_id', test: 'equal', value: 'S-1' }] },
    { ...bikes, order: [{ column: 'model', direction: 'ASC', nulls: 'LAST' }] },
    { ...bikes, columns: 'count' },
    { ...bikes, columns: ['aggregate_id'] },
    { ...fleet, columns: ['bikes', 'model'] },
    { ...fleet, relation: 'Nothing' },
    { relation: 'Bike$Events', columns: ['seq'], filters: [], order: [] },
  ];
  assert.equal(
    others.map((selection) => preparedSelection(domain, selection)),
    others.map(() => undefined),
  );
  await close();
});

test('selections that differ in more than values are compiled apart, others share a query', async () => {
  const { engine, services, close } = await createSampleEngine(false);
  const events: Selection = { relation: 'Bike$Events', columns: ['seq', 'event_type'], filters: [], order: [] };
  const is = (value: string): Selection['filters'][number] => ({ column: 'stream_id', test: 'equal', value });
  const among = (...values: string[]): Selection['filters'][number] => ({ column: 'stream_id', test: 'in', values });
  const isNull = (holds: boolean): Selection['filters'][number] => ({ column: 'stream_id', test: 'is_null', holds });
  const by = { column: 'seq', direction: 'ASC', nulls: 'LAST' } as const;
  const apart: readonly Selection[] = [
    events,
    { ...events, relation: 'Dock$Events' },
    { ...events, columns: ['event_type', 'seq'] },
    { ...events, columns: ['seq'] },
    { ...events, columns: 'count' },
    { ...events, filters: [is('S-1')] },
    { ...events, filters: [is('S-1'), is('S-2')] },
    { ...events, filters: [{ column: 'event_type', test: 'equal', value: 'S-1' }] },
    { ...events, filters: [{ column: 'stream_id', test: 'not_equal', value: 'S-1' }] },
    { ...events, filters: [among('S-1')] },
    { ...events, filters: [among('S-1', 'S-2')] },
    { ...events, filters: [isNull(true)] },
    { ...events, filters: [isNull(false)] },
    { ...events, after: 3n },
    { ...events, until: 3n },
    { ...events, after: 3n, until: 3n },
    { ...events, limit: 3 },
    { ...events, offset: 3 },
    { ...events, limit: 3, offset: 3 },
    { ...events, order: [by] },
    { ...events, order: [{ ...by, direction: 'DESC' }] },
    { ...events, filters: [is('S-1')], order: [by], limit: 3 },
  ];
  const compile = async (selection: Selection) => services.select(engine.domain(), selection);
  const compiled = await Promise.all(apart.map(compile));
  assert.is(new Set(compiled.map(({ query }) => query.sqlite.sql)).size, apart.length);
  const [one, other] = await Promise.all(
    ['S-1', 'S-2'].map((id) =>
      compile({ ...events, filters: [isNull(false), is(id), among('a', id)], after: 1n, until: 9n }),
    ),
  );
  assert.is(one?.query, other?.query);
  assert.equal(
    [one?.parameters, other?.parameters],
    [
      ['S-1', 'a', 'S-1', 1n, 9n],
      ['S-2', 'a', 'S-2', 1n, 9n],
    ],
  );
  await close();
});

test.run();
