import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';

const template = `CREATE TEMPLATE Kind (Name STRING, Fields) AS (
  CREATE EVENT {{Name}}Seen ({{Fields}});
  CREATE EVENT {{Name}}Lost ();
);
CREATE TEMPLATE Both (A STRING) AS (
  APPLY TEMPLATE Kind WITH (Name = '{{A}}', Fields = (n INT));
);
`;
const question =
  'SELECT template_name, instance_name, params FROM Reg.meta_template_instances ORDER BY template_name, instance_name;' +
  'SELECT event_name, field_name FROM Reg.meta_event_fields ORDER BY event_name, ordinal;';

/** The rows of each statement of a script that begins with these files. */
async function rowsOf(files: Readonly<Record<string, string>>, script: string): Promise<readonly unknown[]> {
  return withTempFolder(async (folder) => {
    writeFiles(folder, files);
    const { status, stdout, stderr } = await runToolHere(['run', '-', '--schema', 'schema', '--json'], {
      cwd: folder,
      input: script,
    });
    assert.equal([status, stderr.includes('error')], [0, false], stderr);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { rows: unknown }).rows);
  });
}

test('a session that starts with files has the instances of their templates, nested ones included', async () => {
  const rows = await rowsOf(
    {
      'schema/a.schema':
        "APPLY TEMPLATE Both WITH (A = 'Bird'); APPLY TEMPLATE Kind WITH (Name = 'Fish', Fields = (w STRING));",
      'schema/b.schema': template,
    },
    question,
  );
  assert.equal(rows, [
    [
      ['Both', 'Bird', "A = 'Bird'"],
      ['Kind', 'Bird', "Name = 'Bird', Fields = (n INT)"],
      ['Kind', 'Fish', "Name = 'Fish', Fields = (w STRING)"],
    ],
    [
      ['BirdSeen', 'n'],
      ['FishSeen', 'w'],
    ],
  ]);
});

test('a block that the files replace stays replaced', async () => {
  const rows = await rowsOf(
    {
      'schema/a.schema': `${template}APPLY TEMPLATE Kind WITH (Name = 'Bird', Fields = (n INT));`,
      'schema/b.schema': 'CREATE OR REPLACE EVENT BirdSeen (n INT, colour STRING);',
    },
    question,
  );
  assert.equal(rows[1], [
    ['BirdSeen', 'n'],
    ['BirdSeen', 'colour'],
  ]);
});

test.run();
