import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseExpression } from '../../compiler/syntax/parse.ts';
import { printExpression } from '../../compiler/syntax/print.ts';
import { showTree } from './show-tree.ts';

/** Text, its tree, and its canonical print where that differs from the text. */
const table: readonly (readonly [string, string, string?])[] = [
  // literals
  ["'it''s'", "'it's'"],
  ['7', '7'],
  ['7.50', '7.50'],
  ['.5', '.5'],
  ['1_000_000', '1000000', '1000000'],
  ['1e-3', '1e-3'],
  ['1.5E+10', '1.5E+10'],
  ['true', 'TRUE', 'TRUE'],
  ['Null', 'NULL', 'NULL'],
  ["date '2026-01-01'", '(TypedLiteral DATE 2026-01-01)', "DATE '2026-01-01'"],
  ["TIMESTAMP '2026-01-01T00:00:00Z'", '(TypedLiteral TIMESTAMP 2026-01-01T00:00:00Z)'],
  // names
  [':amount', ':amount'],
  [':select', ':select'],
  [':"type"', ':"type"', ':type'],
  ['data.order', 'data.order'],
  ['e.data.from', 'e.data.from'],
  ['"Order".x', '"Order".x', '"Order".x'],
  ['"plain"', '"plain"', 'plain'],
  ['"a ""b"""', '"a "b""'],
  ['date', 'date'],
  ['position + left', '(Binary + position left)'],
  ['year', 'year'],
  ['exists', 'exists'],
  ['"current_date"', '"current_date"'],
  ['current_date', '(FunctionCall current_date form=bare)', 'CURRENT_DATE'],
  // precedence, as in PostgreSQL
  ['1 + 2 * 3', '(Binary + 1 (Binary * 2 3))'],
  ['(1 + 2) * 3', '(Binary * (Binary + 1 2) 3)'],
  ['1 - 2 - 3', '(Binary - (Binary - 1 2) 3)'],
  ['1 - (2 - 3)', '(Binary - 1 (Binary - 2 3))'],
  ['a / b % c', '(Binary % (Binary / a b) c)'],
  ["a || b + 1 || 'x'", "(Binary || (Binary || a (Binary + b 1)) 'x')"],
  ['a OR b AND c', '(Binary OR a (Binary AND b c))'],
  ['(a OR b) AND c', '(Binary AND (Binary OR a b) c)'],
  ['NOT a = b AND c', '(Binary AND (Unary NOT (Binary = a b)) c)'],
  ['NOT (a AND b)', '(Unary NOT (Binary AND a b))'],
  ['NOT a IN (1)', '(Unary NOT (InList a [1]))'],
  ['a = b IS NULL', '(IsTest (Binary = a b) NULL)'],
  ['a = (b IS NULL)', '(Binary = a (IsTest b NULL))'],
  ['a < b + 1', '(Binary < a (Binary + b 1))'],
  ['a != b', '(Binary <> a b)', 'a <> b'],
  ['a = (NOT b)', '(Binary = a (Unary NOT b))'],
  ['(a = b) = c', '(Binary = (Binary = a b) c)'],
  ['a IS DISTINCT FROM b = c', '(Binary IS DISTINCT FROM a (Binary = b c))'],
  ['a IS NOT DISTINCT FROM 1', '(Binary IS NOT DISTINCT FROM a 1)'],
  ['-a * -b', '(Binary * (Unary - a) (Unary - b))'],
  ['-(-2)', '(Unary - (Unary - 2))'],
  ['- - 2', '(Unary - (Unary - 2))', '-(-2)'],
  ['-x::INT', '(Unary - (Cast x INT form=::))'],
  ['(-x)::INT', '(Cast (Unary - x) INT form=::)'],
  ['a + b::BIGINT', '(Binary + a (Cast b BIGINT form=::))'],
  ["data->>'a' = 'b'", "(Binary = (JsonGet ->> data 'a') 'b')"],
  ["data->'a'->>'b'", "(JsonGet ->> (JsonGet -> data 'a') 'b')"],
  ["'x' || (data->>'a')", "(Binary || 'x' (JsonGet ->> data 'a'))"],
  // predicates
  ['a BETWEEN 1 AND 2 AND b', '(Binary AND (Between a 1 2) b)'],
  ['a BETWEEN SYMMETRIC -1 AND b', '(Between a (Unary - 1) b symmetric)'],
  ['a NOT BETWEEN SYMMETRIC b AND c', '(Between a b c negated symmetric)'],
  ['a NOT BETWEEN b + 1 AND c', '(Between a (Binary + b 1) c negated)'],
  ['a IN (1, 2)', '(InList a [1 2])'],
  ['a NOT IN (SELECT b)', '(InQuery a (Query (Select [(SelectExpression b)])) negated)'],
  ["a LIKE 'x%' ESCAPE '!'", "(Like a 'x%' escape='!')"],
  ["a NOT ILIKE b || '%'", "(Like a (Binary || b '%') caseInsensitive negated)"],
  ['a IS NOT NULL', '(IsTest a NULL negated)'],
  ['a IS UNKNOWN', '(IsTest a UNKNOWN)'],
  ["'x:' || LOWER(:u) = ANY(tags)", "(AnyComparison = (Binary || 'x:' (FunctionCall LOWER [:u] form=plain)) tags)"],
  // calls
  ['COUNT(*)', '(FunctionCall COUNT form=plain star)'],
  ['COUNT(DISTINCT x)', '(FunctionCall COUNT [x] form=plain distinct)'],
  ['random()', '(FunctionCall random form=plain)'],
  ['LEFT(a, 2)', '(FunctionCall LEFT [a 2] form=plain)'],
  ['date(a)', '(FunctionCall date [a] form=plain)'],
  ['filter(a)', '(FunctionCall filter [a] form=plain)'],
  ['SUM(x) FILTER (WHERE x > 1)', '(FunctionCall SUM [x] form=plain filter=(Binary > x 1))'],
  [
    "STRING_AGG(x, ',' ORDER BY y DESC NULLS LAST)",
    "(FunctionCall STRING_AGG [x ','] form=plain orderBy=[(OrderItem y direction=DESC nulls=LAST)])",
  ],
  [
    'ROW_NUMBER() OVER (PARTITION BY a ORDER BY b)',
    '(FunctionCall ROW_NUMBER form=plain over=(WindowSpecification partitionBy=[a] orderBy=[(OrderItem b)]))',
  ],
  [
    'SUM(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
    '(FunctionCall SUM [a] form=plain over=(WindowSpecification orderBy=[(OrderItem b)] frame=(WindowFrame unit=ROWS start={at=PRECEDING offset=1} end={at=CURRENT ROW})))',
  ],
  [
    'SUM(a) OVER (ROWS UNBOUNDED PRECEDING)',
    '(FunctionCall SUM [a] form=plain over=(WindowSpecification frame=(WindowFrame unit=ROWS start={at=UNBOUNDED PRECEDING})))',
  ],
  ["POSITION('b' IN x)", "(FunctionCall POSITION ['b' x] form=words)"],
  ["POSITION('b', x)", "(FunctionCall POSITION ['b' x] form=plain)"],
  ['SUBSTRING(x FROM 2 FOR 3)', '(FunctionCall SUBSTRING [x 2 3] form=words)'],
  ['SUBSTRING(x, 2)', '(FunctionCall SUBSTRING [x 2] form=plain)'],
  ["TRIM(LEADING '0' FROM x)", "(FunctionCall TRIM [x '0'] form=words trim=LEADING)"],
  ['TRIM(x)', '(FunctionCall TRIM [x] form=plain)'],
  ['TRIM(BOTH FROM x)', '(FunctionCall TRIM [x] form=words trim=BOTH)'],
  ['EXTRACT(year FROM d)', '(Extract YEAR d)', 'EXTRACT(YEAR FROM d)'],
  ['CAST(x AS numeric(10, 2))', '(Cast x DECIMAL(10,2) form=CAST)', 'CAST(x AS DECIMAL(10,2))'],
  ['x::text', '(Cast x STRING form=::)', 'x::STRING'],
  ['x::varchar', '(Cast x STRING form=::)', 'x::STRING'],
  ['x::varchar(5)', '(Cast x VARCHAR(5) form=::)', 'x::VARCHAR(5)'],
  // CASE and queries
  ['CASE WHEN a THEN 1 ELSE 2 END', '(Case [(CaseBranch a 1)] otherwise=2)'],
  ["CASE a WHEN 'x' THEN 1 END", "(Case a [(CaseBranch 'x' 1)])"],
  ['EXISTS (SELECT 1)', '(Exists (Query (Select [(SelectExpression 1)])))'],
  ['(SELECT 1) + 1', '(Binary + (ScalarSubquery (Query (Select [(SelectExpression 1)]))) 1)'],
  ['((SELECT 1))', '(ScalarSubquery (Query (Select [(SelectExpression 1)])))', '(SELECT 1)'],
  [
    '((SELECT 1) UNION (SELECT 2))',
    '(ScalarSubquery (Query (SetOperation UNION (Query (Select [(SelectExpression 1)])) (Query (Select [(SelectExpression 2)])))))',
  ],
  ['(values + 1)', '(Binary + values 1)', 'values + 1'],
];

for (const [text, tree, print] of table) {
  test(text, () => {
    const { expression, diagnostics } = parseExpression({ name: 'x', text });
    assert.equal(
      diagnostics.map((fault) => fault.message),
      [],
    );
    assert.ok(expression);
    assert.is(showTree(expression), tree);
    assert.is(printExpression(expression), print ?? text);
  });
}

test.run();
