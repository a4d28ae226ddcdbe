import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileFiles } from '../../compiler/index.ts';
import { shadowedColumns } from '../../cli/commands/build.ts';

test('columns with the name of a parameter are named with their point, sensitive ones and others are not', () => {
  const text = `CREATE AGGREGATE Job;
CREATE COMMAND Add (id STRING, "limit" INT, "order" INT SENSITIVE);
CREATE EVENT Added ("limit" INT, "order" INT SENSITIVE);
CREATE DECISION Add FOR Job ON COMMAND Add EMIT AS SELECT EVENT Added ("limit" := :"limit", "order" := :"order");
CREATE PROJECTION Jobs AS SELECT aggregate_id AS id, "limit" AS "Select", "limit" AS "Offset", "limit" AS after FROM Reg."Job$Agg";
CREATE PROJECTION Plain AS SELECT aggregate_id AS id FROM Reg."Job$Agg";`;
  const { catalog, diagnostics } = compileFiles([{ name: 'a.schema', text }]);
  assert.equal(diagnostics, []);
  assert.equal(shadowedColumns(catalog), [
    'Job$Agg: over HTTP, filter by ?.limit=; without the point it is a parameter of the read\n',
    'Jobs: over HTTP, filter by ?.Select=, ?.Offset=; without the point it is a parameter of the read\n',
  ]);
});

test.run();
