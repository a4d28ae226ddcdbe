/** Consequences of each change of a block: before, after, differences as `level code block`. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { differenceCodes } from '../../compiler/compare/difference.ts';
import { compareCatalogs, compileFiles, type Catalog } from '../../compiler/index.ts';

const tank = `CREATE AGGREGATE Tank;
CREATE COMMAND Fill (id STRING, litres INT, note STRING NULL);
CREATE EVENT Filled (litres INT, note STRING);
CREATE DECISION FillIt FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres, note := :note);
CREATE PROJECTION Fills AS SELECT COUNT(*) AS n, MAX(data.note) AS note FROM Reg."Tank$Events";
CREATE EVENT Unused (a INT);
CREATE COMMAND Drain (id STRING CHECK (id <> 'x') MESSAGE 'no');
CREATE ENUM Size AS ('S', 'M');
CREATE FUNCTION twice (n INT) RETURNS INT AS n * 2;
CREATE FUNCTION fourfold (n INT) RETURNS INT AS twice(twice(n));
CREATE PROJECTION Sums AS SELECT SUM(fourfold(CAST(seq AS INT))) AS n FROM Reg."Tank$Events";
CREATE SUBSCRIPTION Feed AS SELECT stream_id, seq AS litres FROM Reg."Tank$Events";`;

function catalogOf(text: string): Catalog {
  const { catalog, diagnostics } = compileFiles([{ name: 'test.schema', text }]);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  assert.equal(
    errors.map(({ message }) => message),
    [],
  );
  return catalog;
}

/** The statements, with those that begin like a replacement replaced; a replacement of three words removes its block. */
function changed(...replacements: readonly string[]): string {
  const heads = new Map(replacements.map((text) => [text.split(' ').slice(0, 3).join(' '), text]));
  const kept = tank.split('\n').filter((line) => !heads.has(line.replace(/;$/, '').split(' ').slice(0, 3).join(' ')));
  return [
    ...kept,
    ...replacements.filter((text) => text.split(' ').length > 3 || text.startsWith('CREATE AGGREGATE')),
  ].join('\n');
}

const rebuilt = 'safe folds-built-anew aggregate Tank';
for (const [what, replacements, wanted] of [
  ['nothing', [], []],
  ['a new block', ['CREATE EVENT Other (a INT);'], ['safe block-added event Other']],
  [
    'a required field',
    ['CREATE COMMAND Fill (id STRING, litres INT, note STRING NULL, by STRING);'],
    ['breaks command-field-required command Fill'],
  ],
  [
    'an optional field',
    ["CREATE COMMAND Fill (id STRING, litres INT, note STRING NULL, by STRING DEFAULT 'x');"],
    ['safe command-field-added command Fill'],
  ],
  [
    'an optional field that is required now',
    ['CREATE COMMAND Fill (id STRING, litres INT, note STRING);'],
    ['breaks command-field-required command Fill'],
  ],
  [
    'a required field that is optional now',
    ['CREATE COMMAND Fill (id STRING, litres INT DEFAULT 1, note STRING NULL);'],
    ['safe command-field-optional command Fill'],
  ],
  [
    'a wider and a narrower field',
    ['CREATE COMMAND Fill (id VARCHAR(9), litres BIGINT, note STRING NULL);'],
    ['breaks command-field-retyped command Fill', 'safe command-field-widened command Fill'],
  ],
  [
    'another stream id',
    ['CREATE COMMAND Fill (id STRING, litres INT KEY, note STRING NULL);'],
    ['breaks command-key-changed command Fill'],
  ],
  [
    'a CHECK',
    ['CREATE COMMAND Fill (id STRING, litres INT CHECK (litres > 0), note STRING NULL);'],
    ['breaks check-added command Fill'],
  ],
  [
    'the MESSAGE of a CHECK',
    ["CREATE COMMAND Drain (id STRING CHECK (id <> 'x') MESSAGE 'x is taken');"],
    ['safe check-message-changed command Drain'],
  ],
  [
    'an added field of an event',
    ['CREATE EVENT Filled (litres INT, note STRING, by STRING);'],
    ['mind aggregate-column-added aggregate Tank', 'safe event-field-added event Filled', rebuilt],
  ],
  [
    'a wider field of an event',
    ['CREATE EVENT Filled (litres BIGINT, note STRING);'],
    ['mind event-field-widened event Filled', 'mind aggregate-column-widened aggregate Tank', rebuilt],
  ],
  [
    'a SENSITIVE field',
    [
      'CREATE COMMAND Fill (id STRING, litres INT, note STRING SENSITIVE NULL);',
      'CREATE EVENT Filled (litres INT, note STRING SENSITIVE);',
    ],
    ['mind block-changed command Fill', 'mind event-field-hidden event Filled', rebuilt],
  ],
  [
    'a removed field of an event',
    [
      'CREATE EVENT Filled (note STRING);',
      'CREATE DECISION FillIt FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (note := :note);',
    ],
    [
      'breaks event-field-removed event Filled',
      'breaks aggregate-column-removed aggregate Tank',
      'mind decision-changed decision FillIt',
      rebuilt,
    ],
  ],
  ['a removed field that nobody reads', ['CREATE EVENT Unused ();'], ['mind event-field-hidden event Unused']],
  [
    'a renamed event',
    [
      'CREATE EVENT Filled',
      'CREATE EVENT Poured (litres INT, note STRING) UPCAST FROM EVENT Filled (litres INT, note STRING) AS ();',
      'CREATE DECISION FillIt FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Poured (litres := :litres, note := :note);',
    ],
    [
      'breaks event-renamed event Filled',
      'mind decision-changed decision FillIt',
      'safe block-added event Poured',
      rebuilt,
    ],
  ],
  [
    'a new guard',
    [
      'CREATE DECISION FillIt FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres, note := :note) WHERE :litres > 0;',
    ],
    ['mind guard-changed decision FillIt'],
  ],
  [
    'a STATE',
    [
      'CREATE DECISION FillIt FOR Tank ON COMMAND Fill STATE AS SELECT COUNT(*) AS n FROM Reg."Tank$Events" EMIT AS SELECT EVENT Filled (litres := :litres, note := :note);',
    ],
    ['mind state-changed decision FillIt'],
  ],
  [
    'columns of a projection',
    ['CREATE PROJECTION Fills AS SELECT CAST(COUNT(*) AS STRING) AS n, 1 AS one FROM Reg."Tank$Events";'],
    [
      'breaks projection-column-retyped projection Fills',
      'breaks projection-column-removed projection Fills',
      'mind projection-column-added projection Fills',
      'safe projection-changed projection Fills',
    ],
  ],
  [
    'values of an ENUM',
    ["CREATE ENUM Size AS ('S', 'L');"],
    ['breaks enum-value-removed enum Size', 'mind enum-value-added enum Size'],
  ],
  ['a FUNCTION', ['CREATE FUNCTION twice (n INT) RETURNS INT AS n + n;'], ['mind function-changed function twice']],
  [
    'a subscription',
    ['CREATE SUBSCRIPTION Feed AS SELECT stream_id, event_type AS litres, 1 AS one FROM Reg."Tank$Events";'],
    [
      'breaks subscription-column-retyped subscription Feed',
      'mind subscription-changed subscription Feed',
      'mind subscription-column-added subscription Feed',
    ],
  ],
  ['a removed subscription', ['CREATE SUBSCRIPTION Feed'], ['breaks subscription-removed subscription Feed']],
  ['a removed projection', ['CREATE PROJECTION Fills'], ['breaks projection-removed projection Fills']],
  [
    'an ALLOW and a DEFAULT of the caller',
    [
      "CREATE COMMAND Fill (id STRING, litres INT, note STRING DEFAULT CURRENT_USER) ALLOW WHERE HAS_ROLE('clerk');",
      'CREATE CLAIM clinic STRING;',
    ],
    ['breaks access-changed command Fill', 'breaks access-changed command Fill', 'breaks access-changed claim clinic'],
  ],
  [
    'a VISIBLE and a CLEAR, which build nothing',
    [
      'CREATE AGGREGATE Tank VISIBLE WHERE aggregate_id = CURRENT_USER CLEAR WHERE TRUE;',
      'CREATE PROJECTION Fills VISIBLE TO ALL AS SELECT COUNT(*) AS n, MAX(data.note) AS note FROM Reg."Tank$Events";',
      'CREATE PROJECTION Sums VISIBLE WHERE n > 1 AS SELECT SUM(fourfold(CAST(seq AS INT))) AS n FROM Reg."Tank$Events";',
    ],
    [
      'breaks access-changed aggregate Tank',
      'breaks access-changed aggregate Tank',
      'breaks access-changed projection Fills',
      'breaks access-changed projection Sums',
    ],
  ],
  [
    'a removed decision',
    ['CREATE DECISION FillIt', 'CREATE PROJECTION Fills'],
    [
      'breaks decision-removed decision FillIt',
      'breaks projection-removed projection Fills',
      'breaks aggregate-column-removed aggregate Tank',
      'breaks aggregate-column-removed aggregate Tank',
      rebuilt,
    ],
  ],
  ['a removed event that nobody reads', ['CREATE EVENT Unused'], ['mind unused-block-removed event Unused']],
] as const) {
  test(what, () => {
    const found = compareCatalogs(catalogOf(tank), catalogOf(changed(...replacements)));
    assert.equal(
      found.map(({ level, code, block }) => `${level} ${code} ${block}`),
      wanted,
    );
  });
}

test('an aggregate that goes with stored events is a finding of its own', () => {
  const of = (stored: number): readonly string[] =>
    compareCatalogs(catalogOf('CREATE AGGREGATE Tank;'), catalogOf('CREATE COMMAND Fill (id STRING);'), () => stored)
      .filter(({ block }) => block === 'aggregate Tank')
      .map(({ level, code, message }) => `${level} ${code}: ${message}`);
  const gone = 'breaks aggregate-removed: Tank$Events and Tank$Agg are gone for readers';
  assert.equal(
    [of(0), of(2)],
    [
      [gone],
      [gone, 'breaks stored-aggregate-removed: 2 events are stored in it, and stay in the log without a reader'],
    ],
  );
});

test('each change of a clause says what it was and is', () => {
  const told = (before: string, after: string): readonly string[] =>
    compareCatalogs(catalogOf(before), catalogOf(after)).map(({ code, message }) => `${code}: ${message}`);
  const rent = (allow: string): string =>
    `CREATE CLAIM shop STRING; CREATE COMMAND Rent (id STRING, shop STRING DEFAULT CLAIM(shop)) ${allow};`;
  assert.equal(told(rent("ALLOW WHERE HAS_ROLE('a')"), rent("ALLOW WHERE HAS_ROLE('b')")), [
    "access-changed: ALLOW changes from WHERE HAS_ROLE('a') to WHERE HAS_ROLE('b')",
  ]);
  assert.equal(told(rent("ALLOW WHERE HAS_ROLE('a')"), rent('')), [
    "access-changed: ALLOW is gone: WHERE HAS_ROLE('a')",
  ]);
  assert.equal(told(rent("ALLOW WHERE HAS_ROLE('a')"), rent("ALLOW WHERE HAS_ROLE('a') MESSAGE 'only a'")), [
    'check-message-changed: refused callers read another message of ALLOW',
  ]);
  assert.equal(told(rent(''), rent('').replaceAll('CLAIM(shop)', "'here'")), [
    "access-changed: the DEFAULT of field 'shop' is gone: CLAIM(shop)",
    "default-changed: field 'shop' has another DEFAULT for callers that leave it out",
  ]);
  assert.equal(told(rent(''), rent('').replace('STRING;', "UUID FROM 'a', 'b';").replace('shop STRING', 'shop UUID')), [
    "command-field-retyped: field 'shop' changes from STRING to UUID",
    "access-changed: it changes from STRING from 'shop' to UUID from 'a', 'b'",
  ]);
  const tank = (clauses: string): string => `CREATE AGGREGATE Tank (level INT)${clauses};`;
  assert.equal(told(tank(' VISIBLE TO ALL'), tank(' VISIBLE WHERE level > 1 CLEAR WHERE TRUE')), [
    'access-changed: VISIBLE changes from TO ALL to WHERE level > 1',
    'access-changed: CLEAR is new: WHERE TRUE',
  ]);
  assert.equal(told(tank(' VISIBLE TO ALL'), 'CREATE AGGREGATE Tank (level INT, top INT);'), [
    'access-changed: VISIBLE is gone: TO ALL',
    "aggregate-column-added: new column 'top'",
    'aggregate-changed: its state changes',
    'folds-built-anew: its tables and folds may be built again, while it goes on serving',
  ]);
});

test('a changed function names all blocks that call it, also through others, and builds the folds behind it anew', () => {
  const told = compareCatalogs(
    catalogOf(tank),
    catalogOf(changed('CREATE FUNCTION twice (n INT) RETURNS INT AS n + n;')),
  );
  assert.equal(
    told.map(({ message }) => message),
    ['so do its users: function fourfold, projection Sums'],
  );
  const folded = (body: string): Catalog =>
    catalogOf(
      `CREATE FUNCTION half (n INT) RETURNS INT AS ${body}; CREATE FUNCTION part (n INT) RETURNS INT AS half(n);
       CREATE AGGREGATE Tank (parts BIGINT AS SUM(part(data.n))); CREATE COMMAND Fill (id STRING); CREATE EVENT Filled (n INT);
       CREATE DECISION FillIt FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (n := 1);`,
    );
  assert.equal(
    compareCatalogs(folded('n / 2'), folded('n / 3'), () => 7).map(({ code, message }) => [code, message]),
    [
      ['function-changed', 'so do its users: function part, aggregate Tank'],
      ['folds-built-anew', 'its tables and folds may be built again from 7 events, while it goes on serving'],
    ],
  );
});

test('the page has every code, at its level', () => {
  const page = readFileSync(new URL('../../docs/production.md', import.meta.url), 'utf8');
  for (const level of ['breaks', 'mind', 'safe']) {
    const [, codes = ''] = new RegExp(`^\\| ${level} \\| (.*) \\|$`, 'm').exec(page) ?? [];
    const wanted = Object.entries(differenceCodes).filter(([, own]) => own === level);
    assert.equal(
      Array.from(codes.matchAll(/`([a-z-]+)`/g), ([, code]) => code).sort(),
      wanted.map(([code]) => code).sort(),
    );
  }
});

test.run();
