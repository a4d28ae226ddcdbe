import { entry } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** `'a', 'b' and 3 more`. */
function nameList(names: readonly string[]): string {
  const shown = names.slice(0, 8).map((name) => `'${name}'`);
  const more = names.length - shown.length;
  const last = more > 0 ? `${more} more` : (shown.pop() ?? '');
  return `${shown.join(', ')} and ${last}`;
}

/** `event 'Sold' has it`. */
function carriedBy(events: readonly string[]): string {
  const [first = '', second, ...more] = events.map((event) => `'${event}'`);
  if (second === undefined) return `event ${first} has it`;
  return more.length === 0
    ? `events ${first} and ${second} have it`
    : `${events.length} events have it, such as ${first}`;
}

const bound = (name: string): string => `:${name}`;

/** E02xx: names that resolve to nothing, to two things, or to the wrong thing. */
export const names = {
  E0201: entry<{ kind: string; name: string; nearest: readonly string[]; known?: readonly string[] }>({
    severity: 'error',
    title: 'unknown block',
    message: (p) => `there is no ${p.kind} '${p.name}'${suggestion(p.nearest, p.known)}`,
    explanation:
      'A statement names a block that exists neither in the registry nor later in the same text. ' +
      'Check the spelling, or create the block.',
    example:
      'CREATE COMMAND Fill (tank_id STRING);\nCREATE EVENT Filled ();\nCREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled ();',
  }),
  E0202: entry<{
    owner: string;
    what?: 'field' | 'parameter';
    name: string;
    nearest: readonly string[];
    known?: readonly string[];
    hint?: string;
  }>({
    severity: 'error',
    title: 'unknown field',
    message: (p) =>
      `${p.owner} has no ${p.what ?? 'field'} '${p.name}'${p.hint === undefined ? suggestion(p.nearest, p.known) : `; ${p.hint}`}`,
    explanation:
      'An assignment names a field that the event does not declare, a CHECK one that the command does not declare, or the body of a function a name that is no parameter. Only declared names can be given or read.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (liters := :litres);',
  }),
  E0203: entry<{ name: string; nearest: readonly string[]; known?: readonly string[]; hint?: string }>({
    severity: 'error',
    title: 'unknown column',
    message: (p) =>
      `there is no column '${p.name}' here${suggestion(p.nearest, p.known)}${p.hint === undefined ? '' : `; ${p.hint}`}`,
    explanation:
      'No relation in scope has a column of that name. In a guard or an assignment only the columns of STATE are in scope; ' +
      'a field of the command is written :field, a field of an event data.field.',
    example: 'SELECT colour;',
  }),
  E0204: entry<{ command: string; name: string; nearest: readonly string[]; known?: readonly string[] }>({
    severity: 'error',
    title: 'unknown command field',
    message: (p) =>
      `command '${p.command}' has no field '${p.name}'${suggestion(p.nearest.map(bound), p.known?.map(bound))}`,
    explanation: 'A decision reads the fields of its command as :field. The command declares no field of this name.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :liters);',
  }),
  E0205: entry<{ name: string; nearest: readonly string[]; instead?: string }>({
    severity: 'error',
    title: 'unknown function',
    message: (p) =>
      `there is no function '${p.name}'` +
      (p.instead !== undefined
        ? `; ${p.instead}`
        : suggestion(p.nearest) || '; docs/language.md#functions lists the functions'),
    explanation: 'The language has no function of this name. Functions of the underlying engine cannot be called.',
    example: "SELECT UPER('a');",
  }),
  E0206: entry<{ name: string; nearest: readonly string[]; known?: readonly string[]; hint?: string }>({
    severity: 'error',
    title: 'unknown relation',
    message: (p) =>
      `there is no relation '${p.name}'${suggestion(p.nearest, p.known)}${p.hint === undefined ? '' : `; ${p.hint}`}`,
    explanation:
      'A query reads Reg."X$Events" and Reg."X$Agg" of an aggregate X, projections as Reg."Name", Reg.meta_… relations, its own WITH ' +
      'tables, and in the session the tables made by CREATE TABLE and INSPECT.',
    example: 'SELECT * FROM Reg."Nowhere";',
  }),
  E0207: entry<{ name: string; relations: readonly string[] }>({
    severity: 'error',
    title: 'ambiguous column',
    message: (p) =>
      `column '${p.name}' could be ${p.relations.map((relation) => `${relation}.${p.name}`).join(' or ')}; say which`,
    explanation: 'Two relations in scope have a column of this name. Write the alias of the intended one before it.',
    example: 'SELECT n FROM (SELECT 1 AS n) a CROSS JOIN (SELECT 2 AS n) b;',
  }),
  E0208: entry<{ kind: string; name: string }>({
    severity: 'error',
    title: 'name is taken',
    message: (p) => `${p.kind} '${p.name}' exists with another definition; CREATE OR REPLACE replaces it`,
    explanation:
      'CREATE refuses a name that is taken, unless the definition is identical. CREATE OR REPLACE replaces the definition.',
    example: 'CREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE COMMAND Fill (tank_id STRING);',
  }),
  E0209: entry<{ kind: string; name: string; other: string }>({
    severity: 'error',
    title: 'names that differ only in case',
    message: (p) => `${p.kind} '${p.name}' differs only in case from '${p.other}'`,
    explanation:
      'A name is found in any case if that is unique, so the names of two blocks of one kind must differ in more than case.',
    example: 'CREATE COMMAND Fill (tank_id STRING);\nCREATE COMMAND fill (tank_id STRING);',
  }),
  E0210: entry<{ what: string; name: string }>({
    severity: 'error',
    title: 'unsafe name',
    message: (p) => `'${p.name}' cannot name ${p.what}: a letter or _, then at most 62 letters, digits or _`,
    explanation:
      'Names of blocks and fields become names of modules, columns and routes, so they are kept to letters, digits and underscores.',
    example: 'CREATE AGGREGATE "two words";',
  }),
  E0211: entry<{ what: string; name: string }>({
    severity: 'error',
    title: 'reserved name',
    message: (p) => `'${p.name}' is reserved and cannot name ${p.what}`,
    explanation:
      "Projections named meta_… would hide the registry's own relations, event stores named Reg or DeReg would hide the registry, and an " +
      'alias data would hide the payload of events.',
    example: 'CREATE PROJECTION meta_mine AS SELECT 1 AS n;',
  }),
  E0212: entry<{ owner: string; name: string }>({
    severity: 'error',
    title: 'declared twice',
    message: (p) => `${p.owner} declares '${p.name}' twice`,
    explanation: 'Each name can be declared once; names that differ only in case count as the same.',
    example: 'CREATE EVENT Twice (a INT, a INT);',
  }),
  E0213: entry<{ name: string; nearest: readonly string[]; known: readonly string[] }>({
    severity: 'error',
    title: 'unknown alias',
    message: (p) => `there is no relation '${p.name}' in scope` + suggestion(p.nearest, p.known),
    explanation:
      'The name before the column is not the name of a relation in scope. A relation with an alias is known by the alias alone.',
    example: 'SELECT b.n FROM (SELECT 1 AS n) a;',
  }),
  E0214: entry<{ name: string; nearest: readonly string[]; known?: readonly string[] }>({
    severity: 'error',
    title: 'unknown schema',
    message: (p) => `there is no schema or event store '${p.name}'${suggestion(p.nearest, p.known)}`,
    explanation: 'A relation is qualified by Reg (or DeReg), or by the name of an event store.',
    example: 'SELECT * FROM public."Bike$Events";',
  }),
  E0215: entry<{ name: string }>({
    severity: 'error',
    title: 'alias used twice',
    message: (p) => `two relations here are called '${p.name}'; give one an alias`,
    explanation: 'Each relation of a FROM clause needs its own name.',
    example: 'SELECT 1 FROM (SELECT 1 AS n) a CROSS JOIN (SELECT 2 AS m) a;',
  }),
  E0216: entry<{ owner: string; names: readonly string[] }>({
    severity: 'error',
    title: 'output column named twice',
    message: (p) =>
      p.names.length === 1
        ? `${p.owner} has two columns called '${p.names[0] ?? ''}'; give one an alias`
        : `${p.owner} has several columns called ${nameList(p.names)}; name the columns instead of *, with aliases`,
    explanation:
      'The columns of a projection and of STATE are read by name, so each needs its own. Two columns of another query may have the same name, as ' +
      'long as nothing refers to it.',
    example: 'CREATE PROJECTION P AS SELECT 1 AS n, 2 AS n;',
  }),
  E0217: entry<{ name: string; known?: readonly string[]; bare?: 'command' | 'function' }>({
    severity: 'error',
    title: 'no parameter here',
    message: (p) =>
      p.bare !== undefined
        ? p.bare === 'command'
          ? `a CHECK names the fields of its command without a colon: ${p.name}`
          : `a function names its parameters without a colon: ${p.name}`
        : p.known === undefined
          ? `':${p.name}' has no meaning here; only a decision has the fields of a command`
          : `':${p.name}' has no value; params ${p.known.length === 0 ? 'gives none' : `has ${p.known.join(', ')}`}`,
    explanation:
      'Bind parameters are the fields of the command that a decision decides. Other queries have none, but a query that is sent over HTTP may come with values for its own. A CHECK names the fields of its command, and a function its parameters, without a colon.',
    example: 'CREATE PROJECTION P AS SELECT :n AS n;',
  }),
  E0218: entry<{
    aggregate: string;
    name: string;
    nearest: readonly string[];
    known?: readonly string[];
    carriers: readonly string[];
  }>({
    severity: 'error',
    title: 'unknown payload field',
    message: (p) =>
      p.carriers.length === 0
        ? `no event of '${p.aggregate}' carries a field '${p.name}'${suggestion(p.nearest, p.known)}`
        : `no decision for '${p.aggregate}' emits an event with '${p.name}' yet; ${carriedBy(p.carriers)}`,
    explanation:
      'The fields of data are those of all events that a decision can emit into the aggregate. Check the spelling, or create the event ' +
      'and the decision that emits it.',
    example: 'CREATE AGGREGATE Tank;\nCREATE PROJECTION P AS SELECT data.depth AS depth FROM Reg."Tank$Events";',
  }),
  E0219: entry<{ aggregate: string; name: string }>({
    severity: 'info',
    title: 'payload field does not exist yet',
    message: (p) => `no event of '${p.aggregate}' carries a field '${p.name}' yet; it is NULL`,
    explanation:
      'In the interactive session an aggregate may be created before its events. Until an event carries the field, it reads as NULL.',
    example: 'CREATE AGGREGATE Tank;\nSELECT data.depth FROM Reg."Tank$Events";',
  }),
  E0220: entry<{ waiting: string; blocks: readonly string[] }>({
    severity: 'error',
    title: 'not usable yet',
    message: (p) => `${p.waiting} waits for ${p.blocks.join(', ')}, created later in the text`,
    explanation:
      'A block may name blocks that are created later in the text, but it cannot be used before they are created.',
    example:
      'CREATE PROJECTION P AS SELECT * FROM Reg."Q";\nSELECT * FROM Reg."P";\nCREATE PROJECTION Q AS SELECT 1 AS one;',
  }),
} as const;
