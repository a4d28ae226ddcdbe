import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { breakText } from '../../compiler/emit/typescript/break-text.ts';
import { asOperand, withoutParentheses } from '../../compiler/emit/typescript/parentheses.ts';
import { flatText, layoutCode } from '../../templates/code.ts';

const long = "sql.concatenate(state['two words'], 'a, b) || c ? d : e', `x${1}`, command.some_long_name)";
const texts = [
  'short',
  long,
  `(${long} ?? ${long})`,
  `${long} === '(' ? ${long} : ${long} !== ')' ? (${long} + 1n) : null`,
  `((value1) => (value1 === 'it\\'s (' ? ${long} : null))(sql.lower(${long}))`,
  `((${long}) > (${long}))`,
  `((${long})) > 3 && !['a', ' && '].includes(${long})`,
  `(() => { if (${long} === null) return 1; return ${long}; })()`,
  `{ a: ${long}, b: [${long}] }`,
];
for (const text of texts)
  test(`breaking a text into lines keeps its content: ${text.slice(0, 60)}`, () => {
    const code = breakText(text);
    assert.is(flatText(code), text);
    const broken = layoutCode(code, 4, 20);
    assert.is(broken.replace(/\s+/g, '').replaceAll(',)', ')'), text.replace(/\s+/g, ''));
  });

const operands: readonly (readonly [text: string, whole: string, operand: string])[] = [
  ['(a + b)', 'a + b', 'a + b'],
  ['(a || b)', 'a || b', '(a || b)'],
  ['(a ? b : c)', 'a ? b : c', '(a ? b : c)'],
  ['(a) + (b)', '(a) + (b)', '(a) + (b)'],
  ["(')' + b)", "')' + b", "')' + b"],
  ["('?' + b)", "'?' + b", "'?' + b"],
  ["('\\'(' + b)", "'\\'(' + b", "'\\'(' + b"],
  ['f(a || b)', 'f(a || b)', 'f(a || b)'],
];
for (const [text, whole, operand] of operands)
  test(`parentheses of ${text}`, () => {
    assert.is(withoutParentheses(text), whole);
    assert.is(asOperand(text), operand);
  });

test.run();
