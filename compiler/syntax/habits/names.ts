/**
 * Words of other SQL dialects that are well-formed here and mean nothing, and what is written instead: the end of the message about the
 * unknown word. Keys are in upper case.
 */
type Words = ReadonlyMap<string, string>;

/** The row of a word in any case. */
export function insteadOf(words: Words, word: string): string | undefined {
  return words.get(word.toUpperCase());
}

/** Makes an entry for each word, if a row has several separated by blanks. */
function words(rows: readonly (readonly [words: string, instead: string])[]): Words {
  return new Map(rows.flatMap(([all, instead]) => all.split(' ').map((word): [string, string] => [word, instead])));
}

const facts = 'events are facts: EXECUTE a command, whose decision emits a new event';
const answered =
  'an event is answered by a REACTION: CREATE REACTION Name ON EVENT Placed EXECUTE Ship (order_id := :stream_id)';
const atomic = 'each command is atomic by itself, with all events that it emits';

/** First words of statements. */
export const foreignStatements = words([
  ['INSERT UPDATE DELETE MERGE UPSERT', facts],
  ['TRUNCATE', 'events are never removed'],
  ['ALTER', 'CREATE OR REPLACE changes a definition'],
  ['BEGIN COMMIT ROLLBACK SAVEPOINT', atomic],
  ['EXEC CALL', 'EXECUTE Name(field := value) executes a command'],
  ['DESC', 'DESCRIBE shows a block'],
  ['SHOW', 'DESCRIBE EVENTS, DESCRIBE COMMANDS … list the blocks of a kind'],
  ['GRANT REVOKE', 'rights are given by the auth policy of the server (docs/http.md#who-may-do-what)'],
  ['SET RESET', 'SET CALLER says who is asking; settings belong to the EVENTSTORE or to schemac.config.json'],
  ['PRAGMA', 'settings belong to the EVENTSTORE or to schemac.config.json'],
  ['DECLARE DO LOOP', 'there are no procedures: a decision computes from its STATE'],
  ['GO', 'a statement ends with ;'],
  ['IMPORT INCLUDE REQUIRE', 'all .schema files of a folder are read together, without imports'],
  ['SUBSCRIBE', 'a subscription is a block: CREATE SUBSCRIPTION Name FROM START AS SELECT …'],
  [
    'TYPE MODEL INTERFACE CLASS STRUCT RECORD ENTITY',
    'what is sent is a COMMAND and what is stored an EVENT, each with its fields: CREATE EVENT Name (field STRING)',
  ],
  ['ON WHEN', answered],
  [
    'ATTACH DETACH VACUUM ANALYZE COPY LOCK TABLE',
    'a statement begins with CREATE, DROP, APPLY, EXECUTE, SELECT, WITH, INSPECT, DESCRIBE, VALIDATE, EXPLAIN or EXPORT',
  ],
]);

/** Words after CREATE and DROP. */
export const foreignKinds = words([
  ['VIEW MATERIALIZED QUERY', 'a view is a PROJECTION: CREATE PROJECTION Name AS SELECT …'],
  ['INDEX UNIQUE', 'there are no indexes: a state is found by its key, and events by a TAG field'],
  ['PROCEDURE', 'there are no procedures: a FUNCTION names an expression, a PROJECTION a query'],
  [
    'TRIGGER',
    'a command that follows an event is a REACTION: CREATE REACTION Name ON EVENT Placed EXECUTE Ship (order_id := :stream_id)',
  ],
  ['SAGA PROCESS WORKFLOW', `a process is made of reactions; ${answered}`],
  ['TYPE DOMAIN', 'a type of listed values is an ENUM: CREATE ENUM Name AS (…)'],
  ['TEMP TEMPORARY', 'CREATE TABLE alone makes a table of the session'],
  ['SEQUENCE', 'there are no sequences: GEN_RANDOM_UUID() in a decision makes an id'],
  ['SCHEMA DATABASE', 'events are stored in an EVENTSTORE'],
  ['USER ROLE', 'rights are given by the auth policy of the server (docs/http.md#who-may-do-what)'],
  [
    'POLICY',
    'VISIBLE WHERE of an AGGREGATE or a PROJECTION says who sees which rows, ALLOW WHERE of a COMMAND who sends it (docs/callers.md)',
  ],
  ['STREAM', 'a stream begins with its first event; an AGGREGATE declares a family of streams'],
]);

export const foreignTypes = words([
  ['MONEY SMALLMONEY CURRENCY', 'write DECIMAL(12,2)'],
  ['NUMBER', 'write INT, or DECIMAL(12,2) with the digits that it takes'],
  ['SIGNED UNSIGNED TINYINT SMALLINT MEDIUMINT INT2 INT4 INT16 INT32', 'write INT'],
  ['INT8 INT64 LONG', 'write BIGINT'],
  ['SERIAL BIGSERIAL SMALLSERIAL', 'numbers are not generated; write BIGINT or UUID, and let the caller send the id'],
  ['CHAR CHARACTER NCHAR NVARCHAR VARCHAR2 BPCHAR', 'write VARCHAR(n) or STRING'],
  ['CLOB LONGTEXT MEDIUMTEXT TINYTEXT NTEXT CITEXT', 'write STRING'],
  ['DATETIME DATETIME2 TIMESTAMPTZ INSTANT', 'write TIMESTAMP'],
  ['TIME TIMETZ', "write TIMESTAMP for an instant, or STRING for a time of day such as '08:30'"],
  ['YEAR', 'write INT'],
  ['ENUM SET', 'give the values a name, CREATE ENUM Name AS (…), which is the type'],
  ['ARRAY LIST MAP OBJECT STRUCT HSTORE', 'write JSON'],
  ['BYTEA BLOB BINARY VARBINARY BYTES IMAGE', 'write STRING, with the bytes in base64'],
  ['UNIQUEIDENTIFIER GUID', 'write UUID'],
  ['BIT LOGICAL', 'write BOOLEAN'],
  ['FLOAT4 FLOAT8', 'write DOUBLE'],
]);

/** Words for the caller in other dialects. */
export const callerHabit = 'the caller is CURRENT_USER';

const cases = 'write CASE WHEN … THEN … ELSE … END';
const noFormat = 'values are not formatted here; join texts with ||, and parts of a date with EXTRACT';
const noJson = 'JSON is read with -> and ->> and not composed; give the event a field for each value';
const noPatterns = 'there are no regular expressions; write LIKE, REPLACE or SPLIT_PART';
const spans = "instants are computed with: a + INTERVAL '1 day', a - b";
const digest = (kind: string): string => `write ENCODE(DIGEST(x, '${kind}'), 'hex')`;

export const foreignFunctions = words([
  ['CURRENT_USER', 'CURRENT_USER is written without parentheses'],
  ['SESSION_USER USER CURRENT_ROLE SYSTEM_USER USER_NAME SUSER_NAME', callerHabit],
  ['CURRENT_SETTING JWT', 'write CURRENT_USER, or CLAIM(name) for another claim of the token'],
  ['PG_HAS_ROLE IS_MEMBER IS_ROLEMEMBER', "write HAS_ROLE('role')"],
  ['IFNULL NVL ISNULL', 'write COALESCE(x, y)'],
  ['IF IIF NVL2 DECODE CHOOSE', cases],
  ['MD5', digest('md5')],
  ['SHA256 SHA2 SHA1 SHA', digest('sha256')],
  ['SHA512', digest('sha512')],
  ['LEN DATALENGTH', 'write LENGTH(x)'],
  ['UCASE', 'write UPPER(x)'],
  ['LCASE', 'write LOWER(x)'],
  ['INSTR CHARINDEX LOCATE', 'write POSITION(needle IN text)'],
  ['STRLEFT', 'write LEFT(x, n)'],
  ['GROUP_CONCAT LISTAGG STRING_JOIN', "write STRING_AGG(x, ', ')"],
  ['RAND', 'write RANDOM()'],
  ['UUID NEWID UUID_GENERATE_V4 UUIDV4', 'write GEN_RANDOM_UUID()'],
  ['GETDATE SYSDATE LOCALTIMESTAMP GETUTCDATE SYSDATETIME CLOCK_TIMESTAMP', 'write CURRENT_TIMESTAMP'],
  ['CURDATE TODAY', 'write CURRENT_DATE'],
  ['DATE_PART DATEPART', 'write EXTRACT(YEAR FROM x)'],
  ['HOUR MINUTE SECOND WEEK QUARTER', 'write EXTRACT(HOUR FROM x)'],
  ['AGE DATEDIFF DATE_DIFF DATEADD DATE_ADD DATE_SUB TIMESTAMPDIFF', spans],
  ['TO_CHAR FORMAT DATE_FORMAT STRFTIME PRINTF', noFormat],
  ['TO_DATE STR_TO_DATE', "write CAST(x AS DATE), where x is like '2026-01-31'"],
  ['TO_TIMESTAMP', "write CAST(x AS TIMESTAMP), where x is like '2026-01-31T08:00:00Z'"],
  ['TO_NUMBER', 'write CAST(x AS DECIMAL(12,2))'],
  ['CONVERT TRY_CAST TRY_CONVERT', 'write CAST(x AS type)'],
  ['ARRAY_LENGTH JSON_ARRAY_LENGTH JSONB_ARRAY_LENGTH', 'write CARDINALITY(list)'],
  [
    'JSON_BUILD_OBJECT JSONB_BUILD_OBJECT JSON_OBJECT JSON_ARRAY JSON_AGG JSONB_AGG TO_JSON TO_JSONB ROW_TO_JSON JSON_SET JSONB_SET',
    noJson,
  ],
  ['JSON_EXTRACT JSON_VALUE JSON_EXTRACT_PATH_TEXT', "write x->>'member'"],
  ['REGEXP_REPLACE REGEXP_MATCH REGEXP_MATCHES REGEXP_LIKE REGEXP_SUBSTR', noPatterns],
  ['GENERATE_SERIES UNNEST RANGE', 'rows are counted with WITH RECURSIVE'],
  ['ROLLUP CUBE', 'join one query for each grouping with UNION ALL'],
  ['ANY_VALUE', 'write MIN(x), or LAST(x) for the newest'],
  [
    'LAST_INSERT_ID NEXTVAL CURRVAL',
    'numbers are not generated; the caller sends the id, or GEN_RANDOM_UUID() makes one',
  ],
]);

/** `a || b` of two BOOLEAN values. */
export const orHabit = "'||' joins texts; the logical OR is written OR";

/** A word without quotes that is compared with a value, and is no column: `status = placed`. */
export function bareTextHabit(name: string): string {
  return `a text is written in single quotes: '${name}'`;
}

/** `SESSION_USER` and the like, which are names here. */
export function isCallerHabit(name: string): boolean {
  return ['SESSION_USER', 'USER', 'CURRENT_ROLE'].includes(name.toUpperCase());
}

/** `NOW` without parentheses. */
export function bareCallHabit(name: string): string {
  return `the function is written with parentheses: ${name.toUpperCase()}()`;
}

/** A name in double quotes that is no column. */
export function quotedTextHabit(name: string): string {
  return `a text is written in single quotes, '${name.replaceAll("'", "''")}'`;
}
