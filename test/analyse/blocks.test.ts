import { test } from 'uvu';
import { assertDiagnostics } from '../kit/diagnostics.ts';
import { marked } from '../kit/marked.ts';
import { checkFiles } from './language.ts';

/** Declares a test that a text has exactly these findings; marks in the source show their ranges. */
function refuses(name: string, source: string, ...expected: readonly string[]): void {
  test(name, () => {
    const text = marked(source);
    assertDiagnostics(checkFiles(text.file).diagnostics, text, expected);
  });
}

const tank = `CREATE AGGREGATE Tank;
CREATE COMMAND Fill (tank_id STRING, litres INT, note STRING NULL);
CREATE EVENT Filled (litres INT, note STRING);
`;

// Names
refuses(
  'two blocks that differ in case',
  'CREATE EVENT Filled (); CREATE EVENT «filled» ();',
  "E0209 event 'filled' differs only in case from 'Filled'",
);
refuses(
  'kinds have names of their own',
  'CREATE EVENT Fill (); CREATE COMMAND Fill (a STRING); CREATE AGGREGATE Fill;',
);
refuses('two definitions', 'CREATE EVENT E (); CREATE EVENT «E» (a INT);', "E0421 event 'E' is defined twice");
refuses('the same definition twice', 'CREATE EVENT E (a INT); create event E ( a int );');
refuses('OR REPLACE over CREATE, wherever it stands', 'CREATE OR REPLACE EVENT E (a INT); CREATE EVENT E ();');
refuses(
  'a name with a space',
  'CREATE EVENT «"two words"» ();',
  "E0210 'two words' cannot name an event: a letter or _, then at most 62 letters, digits or _",
);
refuses('a name of 64 letters', `CREATE EVENT «${'x'.repeat(64)}» ();`, 'E0210');
refuses('a name of 63 letters', `CREATE EVENT ${'x'.repeat(63)} ();`);
refuses(
  'projections meta_',
  'CREATE PROJECTION «Meta_mine» AS SELECT 1 AS n;',
  "E0211 'Meta_mine' is reserved and cannot name a projection",
);
refuses(
  'an event store Reg',
  "CREATE EVENTSTORE «DeReg» WITH (durable.type = 'memory');",
  "E0211 'DeReg' is reserved and cannot name an event store",
);

// Fields and types
refuses('fields that differ in case', 'CREATE EVENT E (a INT, «A» INT);', "E0212 event 'E' declares 'A' twice");
refuses(
  'several faults of one block',
  'CREATE EVENT E (a «INTT», b «DECIMAL(19)», «a» INT);',
  "E0301 there is no type 'INTT'; did you mean 'INT'?",
  'E0302 DECIMAL(19): the precision is 1 to 18 digits',
  "E0212 event 'E' declares 'a' twice",
);
refuses(
  'a scale above the precision',
  'CREATE EVENT E (a «DECIMAL(4,5)»);',
  'E0302 DECIMAL(4,5): the scale cannot exceed the precision, 4',
);
refuses(
  'fractions in a type',
  'CREATE EVENT E (a «DECIMAL(14, .2)», b «VARCHAR(1.5)»);',
  'E0302 DECIMAL(14,0.2): takes whole numbers',
  'E0302 VARCHAR(1.5): takes whole numbers',
);
refuses(
  'numbers after other types',
  'CREATE EVENT E (a «INT(4)», b «VARCHAR(0)»);',
  'E0302 INT(4): INT takes no numbers',
  'E0302 VARCHAR(0): the length is 1 to 10485760 characters',
);
refuses(
  'all type names',
  'CREATE EVENT E (a STRING, b TEXT, c VARCHAR, d VARCHAR(5), e UUID, f INT, g INTEGER, h BIGINT, i DECIMAL, j DECIMAL(18,18), k NUMERIC(5), l DOUBLE, m FLOAT, n REAL, o BOOLEAN, p BOOL, q TIMESTAMP, r DATE, s JSON);',
);

// Commands
refuses(
  'two keys',
  'CREATE COMMAND C (a STRING KEY, «b» STRING KEY);',
  "E0402 command 'C' has a KEY field already; 'b' cannot be one too",
);
refuses(
  'a stream id that is a number with a point',
  'CREATE COMMAND C (a «DECIMAL(4,2)»);',
  "E0403 'a' is the stream id and must be STRING, UUID, INT or BIGINT, not DECIMAL(4,2)",
);
refuses('a KEY elsewhere frees the first field', 'CREATE COMMAND C (a BOOLEAN, b BIGINT KEY);');
refuses(
  'a sensitive stream id',
  'CREATE COMMAND C («a» STRING SENSITIVE);',
  "E0404 'a' is the stream id and cannot be SENSITIVE",
);
refuses(
  'a stream id that may be NULL',
  'CREATE COMMAND C («a» STRING NULL);',
  "E0405 'a' is the stream id and cannot be NULL or empty",
);
refuses(
  'DEFAULT NULL',
  'CREATE COMMAND C (a STRING, b INT DEFAULT «NULL»);',
  "E0406 'b': a field with a DEFAULT is never NULL; write NULL instead of DEFAULT NULL",
);
refuses(
  'defaults that do not fit',
  "CREATE COMMAND C (a STRING, b INT DEFAULT «'x'», c DECIMAL(4,2) DEFAULT «1.005», d DATE DEFAULT «'2026-02-30'», e STRING DEFAULT «5», f VARCHAR(2) DEFAULT «'abc'», g BOOLEAN DEFAULT «1»);",
  "E0303 field 'b': 'x' is not a valid INT",
  "E0303 field 'c': 1.005 is not a valid DECIMAL(4,2)",
  "E0303 field 'd': '2026-02-30' is not a valid DATE (as 2026-01-31)",
  "E0303 field 'e': 5 is not a valid STRING",
  "E0303 field 'f': 'abc' is not a valid VARCHAR(2)",
  "E0303 field 'g': 1 is not a valid BOOLEAN",
);
refuses(
  'defaults that fit',
  "CREATE COMMAND C (a STRING, b INT DEFAULT -5, c DECIMAL(4,2) DEFAULT 1.10, d DATE DEFAULT '2026-02-28', e TIMESTAMP DEFAULT DATE '2026-01-01', f DOUBLE DEFAULT 1e3, g BOOLEAN DEFAULT FALSE, h DECIMAL(12,2) DEFAULT 0);",
);

// Events
refuses(
  'marks that exclude each other',
  'CREATE EVENT E («a» STRING SENSITIVE TAG, «b» STRING VOLATILE TAG);',
  "E0407 'a' cannot be both SENSITIVE and TAG",
  "E0407 'b' cannot be both VOLATILE and TAG",
);

// Aggregates
refuses(
  'a KEY that is computed',
  "CREATE AGGREGATE A (a STRING KEY DEFAULT «'x'», «aggregate_id» STRING);",
  "E0408 'a' is the KEY, another name of the stream id; it cannot have DEFAULT",
  "E0422 'aggregate_id' is a column of every $Agg relation; choose another name for the field",
);
refuses(
  'a fold that is not aggregated',
  `${tank}CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);
CREATE OR REPLACE AGGREGATE Tank (litres INT AS «data.litres»);`,
  "E0601 column 'data.litres' must be in GROUP BY or inside an aggregate",
);
refuses(
  'a fold of another type',
  `${tank}CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);
CREATE OR REPLACE AGGREGATE Tank (open BOOLEAN AS «LAST(data.litres)»);`,
  "E0305 field 'open' is BOOLEAN and cannot take a value of type INT",
);
refuses(
  'a fold by chance',
  `${tank}CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);
CREATE OR REPLACE AGGREGATE Tank (x DOUBLE AS MAX(«random()»));`,
  "E0416 RANDOM is not allowed in the state of 'Tank': it would give another value each time it is computed",
);
refuses(
  'a fold over a field that no event carries',
  'CREATE AGGREGATE Tank (depth INT AS LAST(data.«depth»), width INT DEFAULT 1);',
  "E0218 no event of 'Tank' carries a field 'depth'",
);

// Decisions
refuses(
  'unknown names, one error each',
  `${tank}CREATE DECISION D FOR «Tunk» ON COMMAND «Fil» EMIT AS SELECT EVENT «Filed» (litres := :anything, other := «whatever» + 1) WHERE :x > 1;`,
  "E0201 there is no aggregate 'Tunk'; did you mean 'Tank'?",
  "E0201 there is no command 'Fil'; did you mean 'Fill'?",
  "E0201 there is no event 'Filed'; did you mean 'Filled'?",
  "E0203 there is no column 'whatever' here",
);
refuses(
  'a bare command field',
  `${tank}CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := «litres»);`,
  "E0203 there is no column 'litres' here; the field of the command is written :litres",
);
refuses(
  'columns of STATE by name',
  `${tank}CREATE DECISION D FOR Tank ON COMMAND Fill STATE AS SELECT COUNT(*) AS fills FROM Reg."Tank$Events" EMIT AS SELECT EVENT Filled (litres := «fill») WHERE FILLS = 0;`,
  "E0203 there is no column 'fill' here; did you mean 'fills'?",
);
refuses(
  'two columns of STATE by one name',
  `${tank}CREATE DECISION D FOR Tank ON COMMAND Fill STATE AS SELECT 1 AS n, 2 AS «n» EMIT AS SELECT EVENT Filled (litres := 1);`,
  "E0216 'STATE of D' has two columns called 'n'; give one an alias",
);
refuses(
  'an unknown relation says nothing of its columns',
  `${tank}CREATE DECISION D FOR Tank ON COMMAND Fill STATE AS SELECT a, b.c FROM Reg."«Tonk$Agg»" b WHERE d > 1 EMIT AS SELECT EVENT Filled (litres := a) WHERE c = 2;`
    .replace('"«', '«"')
    .replace('»"', '"»'),
  "E0206 there is no relation 'Tonk$Agg'; did you mean 'Tank$Agg'?",
);
refuses(
  'queries and windows in guards',
  `${tank}CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := «COUNT(*)») WHERE EXISTS («SELECT 1»);`.replace(
    'EXISTS («SELECT 1»)',
    '«EXISTS (SELECT 1)»',
  ),
  "E0411 COUNT is not allowed in the assignment to 'litres'; compute it in STATE",
  'E0412 a query is not allowed in the guard; put it into STATE and use its columns',
);
refuses(
  'assignments',
  `${tank}CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := «1.5 || 'x'», «litres» := 1, note := «1», «nothing» := 2);`,
  "E0305 field 'litres' is INT and cannot take a value of type STRING",
  "E0413 'litres' is assigned twice",
  "E0305 field 'note' is STRING and cannot take a value of type INT",
  "E0202 event 'Filled' has no field 'nothing'; there is litres, note",
);
refuses(
  'assignments that narrow',
  `${tank}CREATE EVENT Money (a DECIMAL(6,2), b BIGINT, c UUID, d TIMESTAMP, e INT);
CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Money (a := :litres / 3.0, b := 1.0 * :litres, c := :note, d := '2026-01-01', e := 2.0);`,
);
refuses(
  'a literal that an assignment would round',
  `${tank}CREATE EVENT Money (a DECIMAL(6,2), b INT);
CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Money (a := «'1.005'», b := «3000000000»);`,
  "E0303 field 'a': '1.005' is not a valid DECIMAL(6,2)",
  "E0303 field 'b': 3000000000 is not a valid INT",
);
refuses(
  'a guard of another type, with its branch',
  `${tank}CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS BRANCH Some SELECT EVENT Filled () WHERE «:note»;`,
  'E0306 the guard of BRANCH Some must be BOOLEAN, not STRING',
);
refuses(
  'a second decision',
  `${tank}CREATE DECISION A FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled ();
CREATE DECISION B FOR Tank ON COMMAND «fill» EMIT AS SELECT EVENT Filled ();`,
  "E0410 command 'fill' is already decided by 'A'",
);
refuses(
  'TO another aggregate',
  `${tank}CREATE AGGREGATE Log;
CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled () TO «Lag»('x'), SELECT EVENT Filled () TO Log(«TRUE»), SELECT EVENT Filled () TO Log(:litres);`,
  "E0201 there is no aggregate 'Lag'; did you mean 'Log'?",
  "E0403 'TO' is the stream id and must be STRING, UUID, INT or BIGINT, not BOOLEAN",
);

// Projections
refuses(
  'columns by one name',
  'CREATE PROJECTION P AS SELECT 1 AS n, 2 AS «N»;',
  "E0216 'P' has two columns called 'N'; give one an alias",
);
refuses(
  'a circle, once',
  'CREATE PROJECTION A AS SELECT * FROM Reg."B"; CREATE PROJECTION B AS SELECT * FROM Reg.«C»; CREATE PROJECTION C AS SELECT n FROM Reg.A;',
  "E0415 projection 'C' reads itself: C → A → B → C",
);
refuses(
  'a circle of two',
  'CREATE PROJECTION A AS SELECT * FROM Reg.«B»; CREATE PROJECTION B AS SELECT * FROM Reg.A;',
  "E0415 projection 'B' reads itself: B → A → B",
);
refuses(
  'a fault is told where it is, not where it is read',
  'CREATE PROJECTION A AS SELECT x.anything FROM Reg."B" x; CREATE PROJECTION B AS SELECT «colour»;',
  "E0203 there is no column 'colour' here",
);
refuses(
  'another store',
  `CREATE EVENTSTORE prod WITH (durable.type = 'memory'); ${tank}CREATE PROJECTION P AS SELECT seq FROM «prod»."Tank$Events";`,
  "E0619 'prod' cannot be read here; the schema and callers over HTTP read Reg",
);
refuses(
  'parameters outside decisions',
  'CREATE PROJECTION P AS SELECT «:n» AS n;',
  "E0217 ':n' has no meaning here; only a decision has the fields of a command",
);

// Events that share a field
refuses(
  'types without a supertype',
  `${tank}CREATE EVENT Other («litres BOOLEAN»);
CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (), SELECT EVENT Other ();
CREATE PROJECTION P AS SELECT data.litres, data.nothing FROM Reg."Tank$Events";`,
  "E0414 events 'Filled' and 'Other' of 'Tank' give 'litres' types with no common supertype (INT, BOOLEAN)",
);

// Event stores
refuses(
  'settings',
  "CREATE EVENTSTORE s WITH («durable.tpye» = 'memory', «colour.depth» = 1, «wal.fsync = 'yes'», «bloom.fpp» = 0.1, stats.rows = 5, «durable.path» = 'a', durable.path = 'b', inmemory.max_mb = 5, strict.uuid_format = true, default = true);".replace(
    "«durable.path» = 'a', durable.path = 'b'",
    "durable.path = 'a', «durable.path» = 'b'",
  ),
  "E0802 there is no setting 'durable.tpye'; did you mean 'durable.type'?",
  "E0801 there is no setting 'colour.depth'",
  "E0803 setting 'wal.fsync' takes true or false",
  'E0804 stored, but without effect in this version: bloom.fpp, stats.rows',
  "E0805 setting 'durable.path' is given twice",
);
refuses(
  'store types of later versions',
  "CREATE EVENTSTORE s WITH («durable.type = 'parquet'», durable.url = ENV('URL'));",
  "E0807 durable.type 'parquet': for now the embedded store is used",
);
refuses(
  'a key like one that is known, and still another',
  'CREATE EVENTSTORE s WITH («wal.batch» = 1);',
  'E0804 stored, but without effect in this version: wal.batch',
);

test('a cycle of ten thousand projections is reported as E0415 alone', () => {
  const text = Array.from(
    { length: 10_000 },
    (_, index) => `CREATE PROJECTION P${index} AS SELECT * FROM Reg."P${(index + 1) % 10_000}";`,
  ).join('\n');
  const codes = checkFiles(text).diagnostics.map((diagnostic) => diagnostic.code);
  if (codes.join() !== 'E0415') throw new Error(codes.join());
});

const chainOf = (length: number): string =>
  Array.from(
    { length },
    (_, index) =>
      `CREATE PROJECTION P${index} AS SELECT ${index === length - 1 ? '1 AS n' : `n FROM Reg."P${index + 1}"`};`,
  ).join('\n');

test('a chain of four thousand projections compiles', () => {
  const found = checkFiles(chainOf(4_000));
  if (found.diagnostics.length > 0 || found.changes.length !== 4_000) throw new Error(String(found.diagnostics.length));
});

test('a chain of ten thousand projections is refused: too large when written out', () => {
  const codes = checkFiles(chainOf(10_000)).diagnostics.map((diagnostic) => diagnostic.code);
  if (codes.join() !== 'E0630') throw new Error(codes.join());
});

test('at most 100 errors are reported, in source order', () => {
  const text = Array.from({ length: 150 }, (_, index) => `CREATE EVENT E${index} (a COLOUR);`).join('\n');
  const { diagnostics } = checkFiles(text);
  const starts = diagnostics.map((diagnostic) => diagnostic.span.start);
  if (diagnostics.length !== 100 || starts.some((start, index) => start < (starts[index - 1] ?? 0)))
    throw new Error(String(starts));
});

test.run();
