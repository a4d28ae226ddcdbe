/** Doc comments and CHECKs in the document, which a build writes as the server answers it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { documentedServer, openApiFor } from '../../cli/open-api.ts';
import { compileFiles, exportRegistry } from '../../compiler/index.ts';
import { openApiOf } from '../../server/http/openapi/document.ts';
import { routesOf } from '../../server/http/routes/route-table.ts';
import { domainOf } from '../kit/domain.ts';

const text = `--- A tank.
CREATE AGGREGATE Tank (
  --- What is in it.
  litres INT AS SUM(data.litres)
);
--- Fills a tank.
--- At night.
CREATE COMMAND Fill (
  id STRING KEY,
  --- How much, at most 100.
  litres INT CHECK (litres <= 100),
  CHECK (litres <> 13)
);
--- It was filled.
CREATE EVENT Filled (
  --- As measured.
  litres INT
);
CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);
--- All levels.
CREATE PROJECTION Levels AS SELECT stream_id AS tank, litres FROM (SELECT aggregate_id AS stream_id, litres FROM Reg."Tank$Agg");
`;

const served = documentedServer({ settings: { config: { path: '', folder: '', values: {} } }, environment: {} });

test('the document has doc comments as descriptions, in a build and in a server', async () => {
  const { catalog, diagnostics } = compileFiles([{ name: 'tank.schema', text }]);
  assert.equal(diagnostics, []);
  const built = openApiFor(catalog, exportRegistry(catalog), served);
  const { document, text: answered } = openApiOf(served, await domainOf(text), routesOf(served));
  assert.equal(JSON.parse(built), JSON.parse(answered));

  const schemas = document.components.schemas ?? {};
  const described = (name: string): unknown => {
    const { description, properties = {} } = schemas[name] as { description?: string; properties?: object };
    const fields = Object.entries(properties as Record<string, { description?: string }>);
    return [
      description,
      ...fields.flatMap(([field, schema]) => (schema.description ? [[field, schema.description]] : [])),
    ];
  };
  assert.equal(described('FillCommand'), [
    'Fills a tank.\nAt night.\n\nCHECK (litres <> 13)',
    ['litres', 'How much, at most 100.\n\nCHECK (litres <= 100)'],
  ]);
  assert.equal(described('FilledPayload'), ['It was filled.', ['litres', 'As measured.']]);
  assert.equal(described('TankState'), ['A tank.', ['litres', 'What is in it.']]);
  assert.equal(described('LevelsRow'), ['All levels.']);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const first = (id: string): string | undefined =>
    operations.find(({ operationId }) => operationId === id)?.description.split('\n\n')[0];
  assert.equal(
    [first('execute_Fill'), first('projection_Levels'), document.tags.find(({ name }) => name === 'Tank')?.description],
    ['Fills a tank.\nAt night.', 'All levels.', 'A tank.'],
  );
});

test.run();
