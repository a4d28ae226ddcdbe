/** `schemac access`: the table of one caller, the matrix of all roles, and its comparison with a file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';
import type { ToolResult } from '../kit/tool.ts';

const test = suite('access');
const schema = `
CREATE CLAIM clinic STRING FROM 'place', 'clinic';
CREATE CLAIM level INT;
CREATE AGGREGATE Note (note_id STRING KEY, author STRING, pin STRING AS LAST(data.pin))
  VISIBLE WHERE author = CURRENT_USER OR HAS_ROLE('desk') CLEAR WHERE HAS_ROLE('guest');
CREATE COMMAND Write (note_id STRING, pin STRING SENSITIVE) ALLOW WHERE HAS_ROLE('guest');
CREATE EVENT Written (author STRING, pin STRING SENSITIVE);
CREATE DECISION Writing FOR Note ON COMMAND Write EMIT AS SELECT EVENT Written (author := CURRENT_USER, pin := :pin);
CREATE PROJECTION Levels VISIBLE WHERE CLAIM(level) = 3 AS SELECT note_id FROM Reg."Note$Agg";
`;
const roles = { guest: ['read:Note$Agg', 'execute:*'], desk: ['read:*'], whole: ['read:*', 'rows:all'] };

const matrix = [
  'kind,name,guest,desk,whole',
  'state,Note$Agg,some,all,all',
  'events,Note$Events,-,all,all',
  'commands,Note$Commands,-,-,-',
  'projection,Levels,-,some,all',
  'command,Note.Write,all,-,-',
  '',
].join('\r\n');

type Access = (...words: readonly string[]) => Promise<ToolResult>;

function within(policy: object, work: (access: Access, cwd: string) => Promise<void>): () => Promise<void> {
  return () =>
    withTempFolder(async (cwd) => {
      const config = { schema: ['schema'], ...policy };
      writeFiles(cwd, { 'schema/notes.schema': schema, 'schemac.config.json': JSON.stringify(config) });
      await work((...words) => runToolHere(['access', ...words], { cwd }), cwd);
    });
}

test(
  'a caller has the rights of its roles; rows follow from its roles and claims',
  within({ auth: { roles } }, async (access) => {
    const as = JSON.stringify({ subject: 'ada', roles: ['guest'], claims: { level: 3 } });
    const { status, stdout } = await access('--as', as, '--csv');
    const clause = "author = CURRENT_USER OR HAS_ROLE('desk')";
    assert.equal(
      [status, stdout.split('\r\n')],
      [
        0,
        [
          'kind,name,right,granted,rows,condition,masked,cleared',
          `state,Note$Agg,read:Note$Agg,true,some,${clause},,pin`,
          `events,Note$Events,read:Note$Events,false,some,${clause},,data.pin`,
          `commands,Note$Commands,read:Note$Commands,false,some,${clause},data.pin,`,
          'projection,Levels,read:Levels,false,all,CLAIM(level) = 3,,',
          "command,Note.Write,execute:Note.Write,true,all,HAS_ROLE('guest'),,",
          '',
        ],
      ],
    );
  }),
);

test(
  'without --as it is a request without a token: of no caller, of the anonymous one, or without a policy of any',
  within({ auth: { roles } }, async (access, cwd) => {
    const granted = async (): Promise<readonly [ToolResult, ReadonlySet<string>]> => {
      const run = await access('--csv');
      const lines = run.stdout.trimEnd().split('\r\n').slice(1);
      return [run, new Set(lines.map((line) => line.split(',').slice(3, 5).join(' ')))];
    };
    const [none, toNone] = await granted();
    assert.equal(toNone, new Set(['false none']));
    assert.match(none.stderr, /a caller without a token; --as says whose access to show/);
    const config = join(cwd, 'schemac.config.json');
    writeFileSync(config, JSON.stringify({ schema: ['schema'], auth: { roles, anonymous: { roles: ['desk'] } } }));
    const [anonymous, toAnonymous] = await granted();
    assert.equal([anonymous.stderr, toAnonymous], ['', new Set(['true all', 'false all', 'true none', 'false none'])]);
    writeFileSync(config, JSON.stringify({ schema: ['schema'] }));
    const [any, toAny] = await granted();
    assert.equal([any.stderr, toAny], ['', new Set(['true all'])]);
  }),
);

test(
  'the matrix has a column for each role, whose subject and claims are unknown',
  within({ auth: { roles } }, async (access) => {
    const csv = await access('--matrix', '--csv');
    assert.equal([csv.status, csv.stdout], [0, matrix]);
    const text = await access('--matrix');
    assert.match(text.stdout, /^ kind +\| name +\| guest \| desk \| whole\n/);
    assert.match(text.stdout, /\n command +\| Note\.Write +\| all +\| - +\| -\n\(5 rows\)\n$/);
  }),
);

test(
  'a matrix is compared with a file, however that is quoted',
  within({ auth: { roles } }, async (access, cwd) => {
    const compare = (text: string, ...words: readonly string[]): Promise<ToolResult> => {
      writeFileSync(join(cwd, 'expected.csv'), text);
      return access('--expect', 'expected.csv', ...words);
    };
    const quoted = matrix.replaceAll('\r\n', '\n').replace('state,Note$Agg', '"state","Note$Agg"');
    assert.equal(await compare(quoted), { status: 0, stdout: 'no differences\n', stderr: '' });
    const other = matrix.replace('projection,Levels,-,some', 'projection,Levels,-,none');
    assert.equal((await compare(other, '--json')).status, 1);
    const differs = await compare(other);
    assert.equal(
      [differs.status, differs.stdout.split('\n').filter((line) => /^[+-]/.test(line))],
      [1, ['- projection,Levels,-,none,all', '+ projection,Levels,-,some,all']],
    );
  }),
);

const role = /--as: neither the policy nor the schema has the role 'gest'; did you mean 'guest'\?/;
const refused: readonly (readonly [words: readonly string[], status: number, message: RegExp])[] = [
  [['--as', '{"roles":["gest"]}'], 1, role],
  [
    ['--as', '{"claims":{"clinic":"north"}}'],
    1,
    /no CLAIM of the schema reads the member 'clinic'; there are level, place/,
  ],
  [['--as', '{"claims":{"level":"high"}}'], 1, /the claim 'level' of this token is no INT/],
  [['--as', '{"rolls":[]}'], 2, /--as/],
  [['--expect', 'absent.csv'], 1, /--expect absent\.csv: ENOENT/],
  [['--expect', 'schemac.config.json'], 2, /it takes the output of access --matrix --csv, which begins with kind,name/],
  [['--matrix', '--as', 'ada'], 2, /--as is about one caller/],
  [['--csv', '--json'], 2, /--json and --csv are two forms/],
  [['absent'], 1, /absent/],
];
for (const [words, status, message] of refused)
  test(
    `refused: ${words.join(' ')}`,
    within({ auth: { roles } }, async (access) => {
      const run = await access(...words);
      assert.is(run.status, status, run.stderr);
      assert.match(run.stderr, message);
    }),
  );

test(
  'a matrix needs a policy',
  within({}, async (access) => {
    const { status, stderr } = await access('--matrix');
    assert.is(status, 1);
    assert.match(stderr, /--matrix shows roles, and .*schemac\.config\.json has no 'auth' with any/);
  }),
);

test.run();
