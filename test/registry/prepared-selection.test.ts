import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Selection } from '../../language/contract/selection.ts';
import { preparedSelection } from '../../server/registry/select/prepared-selection.ts';
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
    const wanted = await engine.query(compiled.query, compiled.parameters, { cleared: true });
    assert.ok(wanted.rows.length > 0);
    assert.equal(await engine.query(query, [], { cleared: true }), wanted);
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

test.run();
