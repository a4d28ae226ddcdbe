import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createScanner } from '../../compiler/syntax/scan/scanner.ts';
import { nextStatement } from '../../compiler/syntax/scan/split.ts';

/** The tokens of a text as `Type:image`, one after the other. */
function scan(text: string, inTemplate = false): string {
  const scanner = createScanner({
    text,
    start: 0,
    end: text.length,
    spanAt: (start, end) => ({ file: { name: '', text }, start, end }),
  });
  scanner.inTemplate = inTemplate;
  const tokens: string[] = [];
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) {
    tokens.push(`${token.tokenType.name}:${text.slice(token.startOffset, token.endOffset + 1)}`);
  }
  return tokens.join(' ');
}

/** The tokens of one statement once they know their neighbours. */
function classify(text: string): string {
  const spanAt = (start: number, end: number) => ({ file: { name: '', text }, start, end });
  const found = nextStatement(createScanner({ text, start: 0, end: text.length, spanAt }), spanAt);
  return (found?.tokens ?? []).map((token) => `${token.tokenType.name}:${token.image}`).join(' ');
}

const table: readonly (readonly [string, string])[] = [
  ['', ''],
  [' \t\r\n -- x\n/* a /* b */ c */', ''],
  ['a A1_$x _', 'Identifier:a Identifier:A1_$x Identifier:_'],
  ['select SeLeCt selects', 'SELECT:select SELECT:SeLeCt Identifier:selects'],
  ['"a b" "a""b"', 'QuotedIdentifier:"a b" QuotedIdentifier:"a""b"'],
  ["'' 'it''s' 'a\nb'", "String:'' String:'it''s' String:'a\nb'"],
  [
    '7 7.50 .5 1_000 1e3 1E-3 1.5e+10',
    'Number:7 Number:7.50 Number:.5 Number:1_000 Number:1e3 Number:1E-3 Number:1.5e+10',
  ],
  ['7-1', 'Number:7 Minus:- Number:1'],
  [
    ':a :select :"x y" a:=:b a::INT',
    'Bind::a Bind::select Bind::"x y" Identifier:a Assign::= Bind::b Identifier:a DoubleColon::: Identifier:INT',
  ],
  [
    '<= <> != >= < > =',
    'ComparisonSign:<= ComparisonSign:<> ComparisonSign:!= ComparisonSign:>= ComparisonSign:< ComparisonSign:> Equal:=',
  ],
  [
    '|| -> ->> % / * + -',
    'ArithmeticSign:|| ArithmeticSign:-> ArithmeticSign:->> ArithmeticSign:% ArithmeticSign:/ Star:* Plus:+ Minus:-',
  ],
  ['a--b\nc', 'Identifier:a Identifier:c'],
  ['a.b,(c);', 'Identifier:a Dot:. Identifier:b Comma:, LParen:( Identifier:c RParen:) Semicolon:;'],
  // what is no token
  ['a @#é b', 'Identifier:a Unreadable:@#é Identifier:b'],
  ["'open;\nb", "Unreadable:'open Semicolon:; Identifier:b"],
  ["'open\nb", "Unreadable:'open Identifier:b"],
  ['"open;\nb', 'Unreadable:"open; Identifier:b'],
  [
    '1__0 1_ 1. 1.e 1e 0x1 1.2.3',
    'Unreadable:1__0 Unreadable:1_ Unreadable:1. Unreadable:1.e Unreadable:1e Unreadable:0x1 Unreadable:1.2.3',
  ],
  [': a', 'Unreadable:: Identifier:a'],
  ['""', 'Unreadable:""'],
  ['a /* b', 'Identifier:a Unreadable:/* b'],
  ["'a\0b' c", "Unreadable:'a\0b' Identifier:c"],
  ['{{a}} {b', 'Unreadable:{{a}} Unreadable:{ Identifier:b'],
];
for (const [text, expected] of table) test(JSON.stringify(text), () => assert.is(scan(text), expected));

const templates: readonly (readonly [string, string])[] = [
  ['{{A}} {{ A }}x x{{A}}_{{B}}$Agg', 'Placeholder:{{A}} Identifier:{{ A }}x Identifier:x{{A}}_{{B}}$Agg'],
  [':{{A}} :x{{A}}', 'Bind::{{A}} Bind::x{{A}}'],
  ['\'{{A}}\' "{{A}}"', 'String:\'{{A}}\' QuotedIdentifier:"{{A}}"'],
  ['1{{A}} {{1}}', 'Unreadable:1 Placeholder:{{A}} Unreadable:{{ Number:1 Unreadable:}}'],
];
for (const [text, expected] of templates) test(`in a template: ${text}`, () => assert.is(scan(text, true), expected));

/** Words and parentheses by their neighbours. */
const neighbours: readonly (readonly [string, string])[] = [
  ['exists exists(a)', 'Identifier:exists EXISTS:exists LParen:( Identifier:a RParen:)'],
  ["date date 'x'", "Identifier:date DATE:date String:'x'"],
  ['f(select 1)', 'Identifier:f LParen:( SELECT:select Number:1 RParen:)'],
  ['in (select 1)', 'IN:in QueryParen:( SELECT:select Number:1 RParen:)'],
  [
    '((select 1) union (values (1)))',
    'QueryParen:( QueryParen:( SELECT:select Number:1 RParen:) UNION:union QueryParen:( VALUES:values LParen:( Number:1 RParen:) RParen:) RParen:)',
  ],
  ['1 + ((select 1))', 'Number:1 Plus:+ LParen:( QueryParen:( SELECT:select Number:1 RParen:) RParen:)'],
  [
    '= (with a as (select 1))',
    'Equal:= QueryParen:( WITH:with Identifier:a AS:as QueryParen:( SELECT:select Number:1 RParen:) RParen:)',
  ],
  ['= (with string)', 'Equal:= LParen:( WITH:with Identifier:string RParen:)'],
];
for (const [text, expected] of neighbours) test(`adjacent tokens: ${text}`, () => assert.is(classify(text), expected));

test.run();
