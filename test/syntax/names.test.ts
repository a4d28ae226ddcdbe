import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseScript } from '../../compiler/syntax/parse.ts';
import { printStatement } from '../../compiler/syntax/print.ts';
import { callWords, clauseWords, freeWords, literalWords } from '../../compiler/syntax/tokens/keywords.ts';
import { reservedWords } from '../../language/source/reserved-words.ts';
import { normalise } from './normalise.ts';

/** The tree of a statement; the faults of one that is none. */
function read(text: string): unknown {
  const { statements, diagnostics } = parseScript({ name: 'x', text });
  if (diagnostics.length > 0) return diagnostics.map(({ code, message }) => `${code} ${message}`);
  return statements.map(({ statement }) => normalise(statement));
}

/** Places where any word is a name (docs/language.md#text): `w` is replaced by the word. */
const fieldPlaces = [
  'CREATE COMMAND C (w STRING, b w);',
  'CREATE EVENT E (w STRING TAG);',
  'CREATE AGGREGATE A (w STRING KEY);',
  'CREATE DECISION D FOR A ON COMMAND C AS SELECT EVENT E (w := :w) WHERE :w = 1;',
  'EXECUTE C(w := 1) WITH (w = 1);',
  'SELECT data.w, e.data.w AS x FROM Reg.w AS e GROUP BY data.w;',
  'CREATE EVENTSTORE s WITH (w.w = 1);',
  'CREATE TEMPLATE T (w) AS (CREATE AGGREGATE {{w}};);',
  'APPLY TEMPLATE T WITH (w = (w INT));',
];
/** Where every word but the reserved ones is a name. */
const namePlaces = [
  'CREATE AGGREGATE w; CREATE COMMAND w (a INT); CREATE EVENT w (a INT); CREATE PROJECTION w AS SELECT 1;',
  'CREATE DECISION w FOR w ON COMMAND w AS BRANCH w SELECT EVENT w () TO w(:a);',
  'EXECUTE w(a := 1); DROP EVENT w; DESCRIBE EVENT w; EXPLAIN DECISION w;',
  'SELECT w, w + 1 AS w, w.w, w(w) FROM w AS w JOIN w.w AS w USING (w) WHERE w = 1 GROUP BY w ORDER BY w DESC;',
  'WITH w AS (SELECT w), x (w) AS (SELECT 1) SELECT * FROM (SELECT w) AS w (w);',
  'CREATE TABLE w (w) AS VALUES (w); INSPECT DECISION w FROM w INTO w USING EVENTSTORE w;',
];

const everywhere = [...clauseWords, ...freeWords, ...literalWords, ...callWords];
/** Words that no column is called without quotes: functions that need no parentheses. */
const quotedIn = (place: string, word: string) => place.replace(/\bw\b(?!\()/g, `"${word}"`).replace(/\bw\b/g, word);
const bareIn = (place: string, word: string) => place.replace(/\bw\b/g, word);

test('any word can name a field, even a reserved one', () => {
  for (const place of fieldPlaces) {
    for (const word of [...everywhere, ...reservedWords]) {
      const type = (text: string) => text.replace(`b "${word}"`, 'b w').replace(`b ${word}`, 'b w');
      const [bare, quoted] = [type(bareIn(place, word)), type(place.replace(/\bw\b/g, `"${word}"`))];
      if (place.includes('{{w}}'))
        assert.ok(Array.isArray(read(bare)) && typeof (read(bare) as unknown[])[0] !== 'string', bare);
      else assert.equal(read(bare), read(quoted), bare);
      assert.ok(typeof (read(bare) as unknown[])[0] !== 'string', `${bare} ${JSON.stringify(read(bare))}`);
    }
  }
});

test('every word that is not reserved is a name in every position', () => {
  const calls = new Set<string>([...callWords, 'VALUES']);
  for (const place of namePlaces) {
    for (const word of everywhere) {
      const text = calls.has(word) ? place.replace(', w(w)', '') : place;
      assert.equal(read(bareIn(text, word)), read(quotedIn(text, word)), bareIn(text, word));
      assert.ok(
        typeof (read(bareIn(text, word)) as unknown[])[0] !== 'string',
        `${bareIn(text, word)} ${JSON.stringify(read(bareIn(text, word)))}`,
      );
    }
  }
});

test('reserved words are refused as names, with the advice to quote them', () => {
  for (const word of reservedWords) {
    const [fault] = read(`CREATE AGGREGATE ${word};`) as readonly string[];
    assert.is(
      fault,
      `E0101 expected the name of an aggregate, found '${word}'; ${word} is reserved, put it in double quotes to use it as a name`,
    );
    assert.not.type((read(`CREATE AGGREGATE "${word}";`) as readonly unknown[])[0], 'string');
  }
});

test('an alias needs AS only when its word starts a clause', () => {
  for (const word of freeWords)
    assert.equal(read(`SELECT a ${word} FROM t ${word};`), read(`SELECT a AS "${word}" FROM t AS "${word}";`), word);
  for (const word of [...clauseWords, ...reservedWords])
    assert.type((read(`SELECT a ${word};`) as readonly unknown[])[0], 'string', word);
});

test('names are printed in quotes only when needed', () => {
  const print = (text: string) =>
    parseScript({ name: 'x', text }).statements.map(({ statement }) => statement && printStatement(statement));
  assert.equal(
    print(
      'SELECT "plain", "a b", "from", t."from", "Bike$Agg", "current_date", :"from", "x"."y" AS "end" FROM "Reg"."Order";',
    ),
    ['SELECT plain, "a b", "from", t.from, "Bike$Agg", "current_date", :from, x.y AS "end" FROM Reg.Order;'],
  );
});

test.run();
