/**
 * The shortest script that raises each code of a failure, or the occasion on which it occurs where no script can raise it. `schemac explain`
 * shows them, and a test runs the scripts.
 */
import type { FailureCode } from './catalogue.ts';

export type Occasion = { readonly script: string } | { readonly takes: string };

const tank = `CREATE AGGREGATE Tank;
CREATE COMMAND Fill (tank_id STRING, litres INT);
CREATE EVENT Filled (litres INT);
CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);
`;
const fill = (rest: string): Occasion => ({ script: `${tank}${rest}` });
const script = (text: string): Occasion => ({ script: text });
const takes = (occasion: string): Occasion => ({ takes: occasion });
const overHttp = (other: string, request: string): Occasion =>
  takes(`a request, such as ${request}; a script gets ${other} before it runs`);

export const occasions: Readonly<Record<FailureCode, Occasion>> = {
  R0101: overHttp('E0902', `POST /api/aggregates/Tank/execute/Fill {"tank_id": "T-1"}`),
  R0102: overHttp('E0901', `POST /api/aggregates/Tank/execute/Fill {"tank_id": "T-1", "litres": 5, "colour": "red"}`),
  R0103: fill("EXECUTE Fill(tank_id := 'T-1', litres := 'fi' || 've');"),
  R0104: fill(
    "EXECUTE Fill(tank_id := 'T-1', litres := 5) WITH (command_id = 'c-1');\nEXECUTE Fill(tank_id := 'T-1', litres := 6) WITH (command_id = 'c-1');",
  ),
  R0105: fill(
    "EXECUTE Fill(tank_id := 'T-1', litres := 5) WITH (expected_seq = 0);\nEXECUTE Fill(tank_id := 'T-1', litres := 5) WITH (expected_seq = 0);",
  ),
  R0106: script('DESCRIBE AGGREGATE Tank;'),
  R0107: overHttp(
    'E0906',
    'POST /api/aggregates/Tank/execute/Drain {"tank_id": "T-1"} for a command without a decision',
  ),
  R0108: takes('a route that names another aggregate, such as POST /api/aggregates/Bike/execute/Fill'),
  R0109: takes('a command for a server that was started with --readonly'),
  R0110: takes('a command without command_id for a store WITH (id.command_id.required = true)'),
  R0111: fill("EXECUTE Fill(tank_id := 'T-1', litres := 5) WITH (expected_seq = 1 - 2);"),
  R0112: takes('a request whose If-Match is the entity tag of another store'),
  R0113: overHttp('E0901 and E0902', 'POST /api/aggregates/Tank/execute/Fill {"litre": 5}'),
  R0114: script('CREATE AGGREGATE Tank;\nCREATE PROJECTION Tank AS SELECT 1 AS n;\nDESCRIBE Tank;'),
  R0115: script(`CREATE AGGREGATE Tank;
CREATE COMMAND Fill (tank_id STRING, litres INT CHECK (litres > 0));
CREATE EVENT Filled (litres INT);
CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);
EXECUTE Fill(tank_id := 'T-1', litres := 1 - 1);`),
  R0116: script(`CREATE AGGREGATE Tank;
CREATE COMMAND Fill (tank_id STRING, litres INT) ALLOW WHERE HAS_ROLE('keeper');
CREATE EVENT Filled (litres INT);
CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);
SET CALLER 'ada' ROLES ('guest');
EXECUTE Fill(tank_id := 'T-1', litres := 5);`),
  R0117: takes("a token whose member 'clinic' is 7, for a command that reads CLAIM(clinic), a STRING"),
  R0201: script('SELECT 1 / 0;'),
  R0202: script('SELECT 2147483647 + 1;'),
  R0203: script(`CREATE AGGREGATE Tank;
CREATE COMMAND Fill (tank_id STRING);
CREATE EVENT Filled (litres INT);
CREATE DECISION Pour FOR Tank ON COMMAND Fill
STATE AS SELECT n FROM (VALUES (1), (2)) AS t(n)
EMIT AS SELECT EVENT Filled (litres := n);
EXECUTE Fill(tank_id := 'T-1');`),
  R0204: script("SELECT CAST('a' || 'b' AS INT);"),
  R0205: script('SELECT SQRT(-1);'),
  R0206: script(`CREATE AGGREGATE Tank;
CREATE COMMAND Fill (tank_id STRING);
CREATE EVENT Filled ();
CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled () TO Tank(TRIM(:tank_id));
EXECUTE Fill(tank_id := ' ');`),
  R0207: takes('a STATE that reads for longer than a decision may take'),
  R0208: script('SELECT (SELECT n FROM (VALUES (1), (2)) AS t(n));'),
  R0209: script('WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i) SELECT MAX(n) FROM i;'),
  R0210: takes('a decision whose functions work on more characters than the limit'),
  R0301: takes('a query with more time, rows or bytes than http.limits gives it'),
  R0302: takes('a statement with more columns or terms than the engine of the read model takes'),
  R0303: takes('Ctrl-C, or a request whose caller left, while a statement runs'),
  R0401: takes('more commands at a time than a server keeps waiting'),
  R0402: takes('a disk that refused to write'),
  R0403: takes('a disk that failed while a command was written'),
  R0404: takes('a second process on one data directory'),
  R0405: takes('a log in which bytes were changed'),
  R0406: takes('a log that a later version wrote'),
  R0407: takes('an export that is cut or changed'),
  R0408: takes('a data directory without the right to write, or a full disk'),
  R0409: takes('a server that ends while a prompt is joined to it'),
  R0410: takes('a folder for posted schema that cannot be written'),
  R0411: takes('a process without file descriptors that are free'),
  R0412: takes('a log that is shorter than its manifest says'),
  R0413: takes('a database of the log that cannot be reached'),
  R0414: takes('a disk on which the read model cannot be written'),
  R0415: takes('a disk on which the table of an inspection cannot be written'),
  R0416: takes('a disk on which the place of a subscription cannot be written'),
  R0417: takes('a stored value that its field cannot have, from an earlier version or another program'),
  R0418: takes('a folder in place of the file of the read model'),
  R0420: takes('a database without the rights or settings that the log needs'),
  R0421: takes('a row of the log that was changed in the database'),
  R0422: takes('a database that was restored from an older backup'),
  R0501: takes('a start with several event stores of different kinds in its schema'),
  R0502: takes('a start on schema files that differ from the registry of the log'),
  R0503: takes('a start on a log whose registry this version does not accept'),
  R0504: takes('a change that would read more stored events than a running server reads at once'),
  R0505: script('SELECT 1 AS OF POSITION 3;'),
  R0506: script('SELECT 1 AS OF TIMESTAMP NULL;'),
  R0507: takes('a start on schema files from before the last deploy of several servers'),
  R0508: takes('two servers that change the schema of one log at once'),
  R0510: script(`${tank}EXECUTE Fill(tank_id := 'T-1', litres := 5);
DROP DECISION Pour;
CREATE OR REPLACE EVENT Filled (days INT) UPCAST FROM (litres INT) AS (days := 10 / (litres - 5));`),
  R0511: script(`${tank}INSPECT DECISION Pour FROM Reg."Tank$Events" INTO outcomes WITH SCHEMA FILE 'pour.schema';`),
  R0601: takes('reactions that answer each other more than 50 times without a wait'),
  R0602: fill("EXECUTE Fill(tank_id := 'T-1', litres := 5) WITH (command_id = '$r/mine');"),
  R0603: takes('ADVANCE CLOCK on a data directory'),
  R0604: script("ADVANCE CLOCK TO TIMESTAMP '2000-01-01T00:00:00Z';"),
  R0605: takes('reactions that lead to more than 10,000 commands from one event'),
};
