import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CreateTemplate } from '../../compiler/syntax/ast.ts';
import { writtenSpan } from '../../language/source/span.ts';
import type { Steps } from '../../language/source/steps.ts';
import {
  expandApplications,
  expandInSteps,
  type ExpandedApplication,
} from '../../compiler/syntax/expand/expand-applications.ts';
import { parseInSteps, parseScript } from '../../compiler/syntax/parse.ts';
import { printStatement } from '../../compiler/syntax/print.ts';
import { assertDiagnostics } from '../kit/diagnostics.ts';
import { marked } from '../kit/marked.ts';

/** The blocks of the last APPLY of a script. */
function expand(text: string): ExpandedApplication {
  return expandMarked(marked(text));
}

function expandMarked({ file }: ReturnType<typeof marked>): ExpandedApplication {
  const { statements, diagnostics } = parseScript(file);
  assert.equal(
    diagnostics.map((fault) => fault.message),
    [],
  );
  const trees = statements.flatMap(({ statement }) => statement ?? []);
  const templates = new Map<string, CreateTemplate>();
  for (const tree of trees) if (tree.kind === 'CreateTemplate') templates.set(tree.name.text, tree);
  const last = trees.at(-1);
  if (last?.kind !== 'ApplyTemplate') throw new Error('the script ends without APPLY');
  return expandApplications(last, (name) => templates.get(name), templates.keys());
}

const body = (statements: string): string => `CREATE TEMPLATE T (A, F) AS ( ${statements} );\n`;

/** A template's body, the values given to it, and what comes out. */
const table: readonly (readonly [string, string, ...string[]])[] = [
  ['CREATE AGGREGATE {{A}};', "A = 'Bike', F = ()", 'CREATE AGGREGATE Bike;'],
  ['CREATE AGGREGATE x{{ A }}y{{A}};', "A = 'Bike', F = ()", 'CREATE AGGREGATE xBikeyBike;'],
  ['create aggregate "{{A}} x";', "A = 'a\"b', F = ()", 'CREATE AGGREGATE "a""b x";'],
  [
    'CREATE PROJECTION P AS SELECT \'{{A}}\' AS "{{A}}", {{A}} AS v, data.{{A}}, {{A}}.x, :{{A}}, :p{{A}} FROM Reg.{{A}}$Events;',
    "A = 'B', F = ()",
    "CREATE PROJECTION P AS\nSELECT 'B' AS B, 'B' AS v, data.B, B.x, :B, :pB FROM Reg.\"B$Events\";",
  ],
  [
    "CREATE PROJECTION P AS SELECT '{{A}}' AS a;",
    "A = 'it''s', F = ()",
    "CREATE PROJECTION P AS\nSELECT 'it''s' AS a;",
  ],
  [
    'CREATE PROJECTION P AS SELECT {{A}} AS a;',
    "A = '''; DROP', F = ()",
    "CREATE PROJECTION P AS\nSELECT '''; DROP' AS a;",
  ],
  [
    'CREATE PROJECTION P AS SELECT {{A}} + {{A}} AS a LIMIT {{A}};',
    'A = 5, F = ()',
    'CREATE PROJECTION P AS\nSELECT 5 + 5 AS a LIMIT 5;',
  ],
  [
    "CREATE PROJECTION P AS SELECT {{A}} - {{A}} AS a, 'n{{A}}' AS b;",
    'A = -5, F = ()',
    "CREATE PROJECTION P AS\nSELECT -5 - -5 AS a, 'n-5' AS b;",
  ],
  ['CREATE PROJECTION P AS SELECT {{A}} AS a;', 'A = NULL, F = ()', 'CREATE PROJECTION P AS\nSELECT NULL AS a;'],
  [
    "CREATE EVENTSTORE s WITH (a.b = {{A}}, durable.path = './{{A}}');",
    'A = TRUE, F = ()',
    "CREATE EVENTSTORE s WITH (a.b = TRUE, durable.path = './true');",
  ],
  [
    'CREATE EVENT E (a VARCHAR({{A}}), b DECIMAL(10,{{A}}));',
    'A = 2, F = ()',
    'CREATE EVENT E (a VARCHAR(2), b DECIMAL(10,2));',
  ],
  ['CREATE EVENT E ({{A}} {{A}});', "A = 'date', F = ()", 'CREATE EVENT E (date DATE);'],
  // lists of fields
  [
    'CREATE AGGREGATE G (id STRING, {{F}}); CREATE COMMAND C ({{F}}, id STRING); CREATE EVENT E ({{F}});',
    "A = '', F = (a INT KEY, b TEXT SENSITIVE NULL, c INT DEFAULT -1)",
    'CREATE AGGREGATE G (id STRING, a INT KEY, b STRING, c INT DEFAULT -1);',
    'CREATE COMMAND C (a INT KEY, b STRING SENSITIVE NULL, c INT DEFAULT -1, id STRING);',
    'CREATE EVENT E (a INT, b STRING SENSITIVE, c INT);',
  ],
  [
    'CREATE DECISION D FOR G ON COMMAND C AS SELECT EVENT E (x := 1, {{FAssignments}});',
    "A = '', F = (a INT, select INT)",
    'CREATE DECISION D FOR G ON COMMAND C\nEMIT AS\n  SELECT EVENT E (x := 1, a := :a, select := :select);',
  ],
  [
    'CREATE COMMAND C (id STRING, {{F}}); CREATE EVENT E ({{F}});',
    "A = '', F = ()",
    'CREATE COMMAND C (id STRING);',
    'CREATE EVENT E ();',
  ],
];

for (const [statements, given, ...expected] of table) {
  test(`${statements} WITH ${given}`, () => {
    const expansion = expand(`${body(statements)}APPLY TEMPLATE T WITH (${given});`);
    assert.equal(
      expansion.diagnostics.map((fault) => fault.message),
      [],
    );
    assert.equal(
      expansion.statements.map((statement) => printStatement(statement)),
      expected,
    );
  });
}

test('FieldAssignments is short for the assignments of Fields', () => {
  const text = `CREATE TEMPLATE T (Fields) AS (
    CREATE DECISION D FOR A ON COMMAND C AS SELECT EVENT E ({{FieldAssignments}}), SELECT EVENT F ({{FieldsAssignments}});
  ); APPLY TEMPLATE T WITH (Fields = (a INT));`;
  assert.equal(
    expand(text).statements.map((statement) => printStatement(statement)),
    ['CREATE DECISION D FOR A ON COMMAND C\nEMIT AS\n  SELECT EVENT E (a := :a),\n  SELECT EVENT F (a := :a);'],
  );
});

test('templates apply templates, in the order of the body; each instance is listed once', () => {
  const text = `
    CREATE TEMPLATE Leaf (Name, Fields) AS ( CREATE EVENT {{Name}} ({{Fields}}); );
    CREATE TEMPLATE Tree (A, F) AS (
      CREATE AGGREGATE {{A}};
      APPLY TEMPLATE Leaf WITH (Name = '{{A}}Grown', Fields = {{F}});
      USE TEMPLATE Leaf WITH (Name = {{A}}, Fields = (x INT, {{F}}));
      USE TEMPLATE Leaf WITH (Name = {{A}}, Fields = ({{F}}));
      CREATE AGGREGATE {{A}}2;
    );
    APPLY TEMPLATE Tree WITH (A = 'Oak', F = (h INT));`;
  const { statements, instances } = expand(text);
  assert.equal(
    statements.map((statement) => [printStatement(statement), statement.stamp]),
    [
      ['CREATE AGGREGATE Oak;', { template: 'Tree', instance: 'Oak' }],
      ['CREATE EVENT OakGrown (h INT);', { template: 'Leaf', instance: 'OakGrown' }],
      ['CREATE EVENT Oak (x INT, h INT);', { template: 'Leaf', instance: 'Oak' }],
      ['CREATE EVENT Oak (h INT);', { template: 'Leaf', instance: 'Oak' }],
      ['CREATE AGGREGATE Oak2;', { template: 'Tree', instance: 'Oak' }],
    ],
  );
  assert.equal(instances, [
    { template: 'Tree', name: 'Oak', parameters: "A = 'Oak', F = (h INT)" },
    { template: 'Leaf', name: 'OakGrown', parameters: "Name = 'OakGrown', Fields = (h INT)" },
    { template: 'Leaf', name: 'Oak', parameters: "Name = 'Oak', Fields = (x INT, h INT)" },
  ]);
});

test('spans in an expansion point into the body, and lead to the APPLY', () => {
  const source = marked(
    'CREATE TEMPLATE T (A, F) AS ( CREATE EVENT «E{{A}}» («{{F}}», y «INT»); );\n«APPLY TEMPLATE T WITH (A = 1, F = («x INT»))»;',
  );
  const [event] = expandMarked(source).statements;
  assert.ok(event?.kind === 'CreateEvent');
  const [x, y] = event.fields;
  const [name, list, type, apply, given] = source.spans;
  const at = (span: { start: number; end: number } | undefined) => [span?.start, span?.end];
  assert.equal(at(event.name.span), at(name));
  assert.equal([at(x?.span), at(x?.span.applied)], [at(list), at(given)]);
  assert.equal([at(y?.type.span), at(y && writtenSpan(y.type.span))], [at(type), at(apply)]);
});

/** Values that do not go with the template, marked in the APPLY. */
const refusedValues: readonly (readonly [string, ...string[]])[] = [
  ["«APPLY TEMPLATE T WITH (A = 'x')»;", "E0503 template 'T' needs a value for 'F'"],
  ["APPLY TEMPLATE T WITH (A = 'x', F = (), «Colour» = 'red');", "E0504 template 'T' has no parameter 'Colour'"],
  ["APPLY TEMPLATE T WITH (A = 'x', F = (), «A» = 'y');", "E0505 parameter 'A' is given twice"],
  ["APPLY TEMPLATE «Missing» WITH (X = 'y');", "E0201 there is no template 'Missing'"],
  ["APPLY TEMPLATE «Tt» WITH (X = 'y');", "E0201 there is no template 'Tt'; did you mean 'T'?"],
];
for (const [apply, ...expected] of refusedValues) {
  test(apply, () => {
    const source = marked(`${body('CREATE EVENT {{A}} ({{F}});')}${apply}`);
    assertDiagnostics(expandMarked(source).diagnostics, source, expected);
  });
}

/** Types of a parameter, values that fit and values that do not. */
const types: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['STRING', ["'x'", 'NULL'], ['1', 'TRUE', '(a INT)']],
  ['VARCHAR(3)', ["'abc'"], ["'abcd'"]],
  ['INT', ['7', '-7', "'7'"], ['7.5', "'seven'", '2147483648', 'TRUE']],
  ['BIGINT', ['2147483648'], ['9223372036854775808']],
  ['DECIMAL(5,2)', ['7.5', "'.5'"], ["'7,5'"]],
  ['DOUBLE', ['1e3'], ["'x'"]],
  ['BOOLEAN', ['TRUE'], ["'TRUE'", '1']],
  ['DATE', ["'2026-01-01'", "DATE '2026-01-01'"], ["'01.01.2026'"]],
  ['TIMESTAMP', ["'2026-01-01T08:00:00Z'", "'2026-01-01'"], ["'noon'"]],
  ['IDENTIFIER', ["'Bike'"], ["'my bike'"]],
  ['FIELDS', ['(a INT)', '()'], ["'a INT'", 'NULL']],
];
for (const [type, fitting, others] of types) {
  test(`a parameter of type ${type}`, () => {
    const codes = (value: string) =>
      expand(
        `CREATE TEMPLATE T (P ${type}) AS ( CREATE AGGREGATE A; ); APPLY TEMPLATE T WITH (P = ${value});`,
      ).diagnostics.map((fault) => fault.code);
    for (const value of fitting) assert.equal(codes(value), [], value);
    for (const value of others) assert.equal(codes(value), ['E0506'], value);
  });
}

/** Bodies with a value in a forbidden place, which is marked. */
const refusedPlaces: readonly (readonly [string, string, ...string[]])[] = [
  [
    'CREATE EVENT «{{A}}» ();',
    "A = 'my bag'",
    "E0507 parameter 'A' makes the name 'my bag' here, and a name has letters, digits and _, at most 63, no digit first",
  ],
  [
    'CREATE EVENT «E{{A}}» ();',
    "A = '-x'",
    "E0507 parameter 'A' makes the name 'E-x' here, and a name has letters, digits and _, at most 63, no digit first",
  ],
  [
    'CREATE EVENT «{{A}}» ();',
    'A = 7',
    "E0507 parameter 'A' makes the name '7' here, and a name has letters, digits and _, at most 63, no digit first",
  ],
  ['CREATE EVENT «E{{A}}» ();', 'A = NULL', "E0508 a name is needed here, and parameter 'A' is NULL"],
  ['CREATE EVENT E («{{A}}»);', "A = 'x'", "E0508 a list of fields is needed here, and parameter 'A' is a string"],
  [
    'CREATE PROJECTION P AS SELECT «{{A}}» AS a;',
    'A = (x INT)',
    "E0508 one literal is needed here, and parameter 'A' is a list of fields",
  ],
  [
    "CREATE PROJECTION P AS SELECT «'{{A}}'» AS a;",
    'A = (x INT)',
    "E0508 a text is needed here, and parameter 'A' is a list of fields",
  ],
  [
    'CREATE DECISION D FOR G ON COMMAND C AS SELECT EVENT E («{{A}}»);',
    'A = (x INT)',
    "E0508 a list of assignments is needed here, and parameter 'A' is a list of fields",
  ],
  [
    'CREATE EVENTSTORE s WITH (a.b = «{{A}}»);',
    'A = NULL',
    "E0508 a string, number or boolean is needed here, and parameter 'A' is NULL",
  ],
];
for (const [statements, given, ...expected] of refusedPlaces) {
  test(`${statements} WITH ${given}`, () => {
    const source = marked(`CREATE TEMPLATE T (A) AS ( ${statements} );\nAPPLY TEMPLATE T WITH (${given});`);
    const { diagnostics } = expandMarked(source);
    assertDiagnostics(diagnostics, source, expected);
    assert.equal(
      diagnostics.map(({ related }) => related.map(({ message }) => message)),
      [['applied here']],
    );
  });
}

test('a value that cannot be part of a name is reported once', () => {
  const text =
    "CREATE TEMPLATE T (A) AS ( CREATE EVENT {{A}} (); CREATE AGGREGATE X{{A}}; ); APPLY TEMPLATE T WITH (A = 'a b');";
  assert.equal(
    expand(text).diagnostics.map(({ code }) => code),
    ['E0507'],
  );
});

test('a template that applies itself is created, and fails when it is applied', () => {
  const text =
    "CREATE TEMPLATE Loop (N) AS ( APPLY TEMPLATE Loop WITH (N = '{{N}}x'); ); APPLY TEMPLATE Loop WITH (N = 'a');";
  const { statements, diagnostics } = expand(text);
  assert.equal([statements, diagnostics.map(({ code }) => code)], [[], ['E0509']]);
  assert.is(diagnostics[0]?.related.length, 2);
});

test('sixteen levels of templates are allowed', () => {
  const levels = Array.from(
    { length: 15 },
    (_, level) => `CREATE TEMPLATE T${level} (N) AS ( APPLY TEMPLATE T${level + 1} WITH (N = {{N}}); );`,
  );
  const script = `${levels.join('\n')} CREATE TEMPLATE T15 (N) AS ( CREATE EVENT {{N}} (); ); APPLY TEMPLATE T0 WITH (N = 'E');`;
  assert.equal(
    expand(script).statements.map((statement) => printStatement(statement)),
    ['CREATE EVENT E ();'],
  );
});

test('an expansion larger than 1 MiB is refused quickly', () => {
  const twice = "APPLY TEMPLATE Bomb WITH (N = '{{N}}{{N}}');";
  const doubling = expand(
    `CREATE TEMPLATE Bomb (N) AS ( ${twice} ${twice} ); APPLY TEMPLATE Bomb WITH (N = 'aaaaaaaaaaaaaaaaaaaa');`,
  );
  assert.ok(doubling.diagnostics.every(({ code }) => code === 'E0509' || code === 'E0510'));
  assert.is(doubling.diagnostics.length, 1);
  const long = `CREATE TEMPLATE T (N) AS ( CREATE PROJECTION P AS SELECT '${'{{N}}'.repeat(1100)}' AS a; );`;
  assert.equal(
    expand(`${long} APPLY TEMPLATE T WITH (N = '${'x'.repeat(1000)}');`).diagnostics.map(({ code }) => code),
    ['E0510'],
  );
});

/** Templates that CREATE already refuses, whatever the values will be. */
const refusedTemplates: readonly (readonly [string, ...string[]])[] = [
  ['CREATE TEMPLATE T (A) AS ( CREATE EVENT «{{B}}» (); );', "E0502 the template has no parameter 'B'"],
  [
    "CREATE TEMPLATE T (Entity) AS ( CREATE EVENT E (x INT); CREATE PROJECTION P AS SELECT «'{{Entitty}}'» AS a; );",
    "E0502 the template has no parameter 'Entitty'; did you mean 'Entity'?",
  ],
  [
    'CREATE TEMPLATE T (A) AS ( «SELECT 1»; «DROP EVENT E»; );',
    'E0511 a template creates blocks; a query is not allowed in its body',
    'E0511 a template creates blocks; DROP is not allowed in its body',
  ],
  [
    'CREATE TEMPLATE T (A) AS ( «CREATE TEMPLATE U (B) AS ( )»; );',
    'E0511 a template creates blocks; CREATE TEMPLATE is not allowed in its body',
  ],
  ['CREATE TEMPLATE T (A, «a») AS ( );', "E0505 parameter 'a' is given twice"],
  ['CREATE TEMPLATE T (A «COLOUR») AS ( );', 'E0514 a template parameter cannot have type COLOUR'],
  ['CREATE TEMPLATE T (A «INTT») AS ( );', "E0514 a template parameter cannot have type INTT; did you mean 'INT'?"],
  [
    'CREATE TEMPLATE T (A) AS «(» CREATE EVENT E (x INT; );\nSELECT 1;',
    "E0513 the '(' of this template's body is never closed",
  ],
  [
    "CREATE TEMPLATE T (A) AS ( CREATE «AGREGATE» {{A}}; CREATE EVENT {{A}} («'x'»); );",
    "E0103 CREATE: unknown kind 'AGREGATE'; did you mean 'AGGREGATE'?",
    "E0101 expected a field name or ')', found the string 'x'",
  ],
  [
    'CREATE TEMPLATE T WITH (A) AS CREATE EVENT {{A}} («@»); END TEMPLATE; SELECT «;»',
    'E0120 there are no decorators: the field that names the stream says KEY after its type, one that finds events says TAG',
    "E0101 expected an expression or *, found ';'",
  ],
  [
    'CREATE TEMPLATE T (A) AS ( CREATE PROJECTION P AS SELECT «1»{{A}} AS a; );',
    "E0108 '1' is not a number; write 7, 7.50, .5, 1_000_000 or 1e-3",
  ],
];
for (const [text, ...expected] of refusedTemplates) {
  test(text, () => {
    const source = marked(text);
    assertDiagnostics(parseScript(source.file).diagnostics, source, expected);
  });
}

test('a body without END TEMPLATE ends with the text', () => {
  const text = 'CREATE TEMPLATE T WITH (A STRING) AS CREATE EVENT {{A}} (); CREATE AGGREGATE {{A}}2';
  const [statement] = parseScript({ name: 'x', text }).statements;
  assert.is(
    statement?.statement && printStatement(statement.statement),
    'CREATE TEMPLATE T WITH (A STRING) AS\n  CREATE EVENT {{A}} (); CREATE AGGREGATE {{A}}2\nEND TEMPLATE;',
  );
});

test('a template is checked and applied a statement a step', () => {
  const blocks = Array.from({ length: 50 }, (_, at) => `CREATE EVENT {{A}}E${at} (n INT);`).join(' ');
  const apply = Array.from({ length: 4 }, (_, at) => `APPLY TEMPLATE T WITH (A = '{{A}}x${at}', F = ());`).join(' ');
  const text = `${body(blocks)} CREATE TEMPLATE U (A) AS (${apply}); APPLY TEMPLATE U WITH (A = 'X');`;
  const parsed = counted(parseInSteps({ name: 'x', text }));
  const [inner, outer, applied] = parsed.result.statements.map(({ statement }) => statement);
  if (inner?.kind !== 'CreateTemplate' || outer?.kind !== 'CreateTemplate' || applied?.kind !== 'ApplyTemplate')
    throw new Error('the text does not parse');
  const expanded = counted(expandInSteps(applied, (name) => (name === 'T' ? inner : outer)));
  assert.equal([expanded.result.statements.length, parsed.steps, expanded.steps], [200, 3 + 50 + 4, 4 + 4 * 50]);
});

function counted<T>(work: Steps<T>): { readonly result: T; readonly steps: number } {
  for (let steps = 0; ; steps++) {
    const { done, value } = work.next();
    if (done === true) return { result: value, steps };
  }
}

test.run();
