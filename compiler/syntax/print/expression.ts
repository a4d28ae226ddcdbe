import type {
  Binary,
  BinaryOperator,
  Case,
  ColumnReference,
  Expression,
  FunctionCall,
  InQuery,
  Like,
  Name,
  Unary,
} from '../ast.ts';
import { binaryPrecedence, precedence } from '../precedence.ts';
import { callWords } from '../tokens/keywords.ts';
import { group, indent, join, line, parenthesised, softLine, type Doc } from './doc.ts';
import { queryDoc } from './query.ts';
import { printName, printType, printWord, quoteName, quoteString } from './words.ts';
import { filterDoc, orderItemDoc, overDoc } from './window.ts';

/** An expression; in parentheses when it binds less tightly than its place requires. */
export function expressionDoc(node: Expression, least = 0): Doc {
  const doc = plainDoc(node);
  return precedenceOf(node) < least ? group('(', indent(softLine, doc), softLine, ')') : doc;
}

function precedenceOf(node: Expression): number {
  switch (node.kind) {
    case 'Binary':
      return binaryPrecedence[node.operator];
    case 'Unary':
      return node.operator === 'NOT' ? precedence.not : precedence.unary;
    case 'IsTest':
      return precedence.is;
    case 'AnyQuery':
    case 'AnyComparison':
      return precedence.comparison;
    case 'InQuery':
      return node.compared === true ? precedence.comparison : precedence.predicate;
    case 'Between':
    case 'InList':
    case 'Like':
      return precedence.predicate;
    case 'JsonGet':
      return precedence.other;
    case 'AtTimeZone':
      return precedence.zone;
    case 'Cast':
      return node.form === '::' ? precedence.cast : precedence.primary;
    default:
      return precedence.primary;
  }
}

function plainDoc(node: Expression): Doc {
  switch (node.kind) {
    case 'StringLiteral':
      return quoteString(node.value);
    case 'NumberLiteral':
      return node.text;
    case 'BooleanLiteral':
      return node.value ? 'TRUE' : 'FALSE';
    case 'NullLiteral':
      return 'NULL';
    case 'TypedLiteral':
      return `${node.type} ${quoteString(node.value)}`;
    case 'BindParameter':
      return `:${printWord(node.name.text)}`;
    case 'ColumnReference':
      return columnText(node);
    case 'Unary':
      return unaryDoc(node);
    case 'Binary':
      return binaryDoc(node);
    case 'IsTest':
      return [expressionDoc(node.operand, precedence.is), ` IS ${not(node)}${node.test}`];
    case 'Between':
      return [
        [operandDoc(node.operand), ` ${not(node)}BETWEEN ${node.symmetric === true ? 'SYMMETRIC ' : ''}`],
        expressionDoc(node.low, precedence.other),
        [' AND ', expressionDoc(node.high, precedence.other)],
      ];
    case 'InList':
      return [
        operandDoc(node.operand),
        ` ${not(node)}IN `,
        parenthesised(node.list.map((item) => expressionDoc(item))),
      ];
    case 'InQuery':
      return [operandDoc(node.operand), ` ${comparedBy(node)} `, subqueryDoc(node)];
    case 'AnyQuery':
      return [operandDoc(node.left), ` ${node.operator} ${node.quantifier} `, subqueryDoc(node)];
    case 'AnyComparison':
      return [operandDoc(node.left), ` ${node.operator} ANY`, parenthesised([expressionDoc(node.list)])];
    case 'Like':
      return likeDoc(node);
    case 'JsonGet':
      return [
        expressionDoc(node.operand, precedence.other),
        node.operator,
        expressionDoc(node.key, precedence.other + 1),
      ];
    case 'Case':
      return caseDoc(node);
    case 'Cast':
      if (node.form === '::') return [expressionDoc(node.operand, precedence.cast), '::', printType(node.type)];
      return ['CAST', parenthesised([[expressionDoc(node.operand), ` AS ${printType(node.type)}`]])];
    case 'AtTimeZone':
      return [
        expressionDoc(node.operand, precedence.zone),
        ' AT TIME ZONE ',
        expressionDoc(node.zone, precedence.zone + 1),
      ];
    case 'Extract':
      return ['EXTRACT', parenthesised([[`${printName({ text: node.field })} FROM `, expressionDoc(node.operand)]])];
    case 'FunctionCall':
      return callDoc(node);
    case 'Exists':
      return ['EXISTS ', subqueryDoc(node)];
    case 'ScalarSubquery':
      return subqueryDoc(node);
  }
}

function comparedBy({ compared, negated }: InQuery): string {
  if (compared === undefined) return negated ? 'NOT IN' : 'IN';
  return negated ? '<> ALL' : '= ANY';
}

function not({ negated }: { readonly negated: boolean }): string {
  return negated ? 'NOT ' : '';
}

/** The operand before a predicate or ANY. */
function operandDoc(node: Expression): Doc {
  return expressionDoc(node, precedence.predicate);
}

export function subqueryDoc({ query }: { readonly query: Parameters<typeof queryDoc>[0] }): Doc {
  return group('(', indent(softLine, queryDoc(query)), softLine, ')');
}

/** Functions without parentheses; a column of such a name must be quoted. */
const bareFunctions: ReadonlySet<string> = new Set(['CURRENT_TIMESTAMP', 'CURRENT_DATE']);

function columnText({ path }: ColumnReference): string {
  const [first, ...rest] = path;
  if (first === undefined) return '';
  const isQuoted = rest.length === 0 && (bareFunctions.has(first.text.toUpperCase()) || isNoCaller(first));
  return [isQuoted ? quoteName(first.text) : printName(first), ...rest.map((name) => printWord(name.text))].join('.');
}

/** A column in quotes that without them would be the caller. */
function isNoCaller({ text, quoted }: Name): boolean {
  return quoted && text.toUpperCase() === 'CURRENT_USER';
}

function unaryDoc({ operator, operand }: Unary): Doc {
  if (operator === 'NOT') return ['NOT ', expressionDoc(operand, precedence.not)];
  const signed = operand.kind === 'Unary' && operand.operator !== 'NOT';
  return [operator, expressionDoc(operand, signed ? precedence.primary : precedence.unary)];
}

/** A chain that leans to the left is one group, however long: `a AND b AND c`. */
function binaryDoc(root: Binary): Doc {
  const level = binaryPrecedence[root.operator];
  const chains = level !== precedence.comparison;
  const rest: Doc[] = [];
  let left: Expression = root;
  while (left.kind === 'Binary' && binaryPrecedence[left.operator] === level && (chains || left === root)) {
    rest.push([line, operatorText(left.operator), ' ', expressionDoc(left.right, level + 1)]);
    left = left.left;
  }
  return group(expressionDoc(left, chains ? level : level + 1), indent(...rest.reverse()));
}

function operatorText(operator: BinaryOperator): string {
  return operator;
}

function likeDoc(node: Like): Doc {
  const words = ` ${not(node)}${node.caseInsensitive ? 'ILIKE' : 'LIKE'} `;
  const pattern = [operandDoc(node.operand), words, expressionDoc(node.pattern, precedence.other)];
  return node.escape === undefined ? pattern : [pattern, ' ESCAPE ', expressionDoc(node.escape, precedence.other)];
}

function caseDoc({ operand, branches, otherwise }: Case): Doc {
  return group(
    operand === undefined ? 'CASE' : ['CASE ', expressionDoc(operand)],
    indent(
      ...branches.map(({ when, then }) => [
        line,
        group('WHEN ', expressionDoc(when), indent(line, 'THEN ', expressionDoc(then))),
      ]),
      ...(otherwise === undefined ? [] : [[line, 'ELSE ', expressionDoc(otherwise)]]),
    ),
    line,
    'END',
  );
}

const quotedCalls: ReadonlySet<string> = new Set(callWords);

/** A function is printed as written; in quotes only if its name would be read as a word of the language. */
function functionName({ name }: FunctionCall): string {
  return name.quoted && quotedCalls.has(name.text.toUpperCase()) ? quoteName(name.text) : printName(name);
}

function callDoc(node: FunctionCall): Doc {
  if (node.form === 'bare') return node.name.text.toUpperCase();
  const name = functionName(node);
  if (node.form === 'words') return [name, parenthesised([wordsDoc(node)])];
  return [
    [name, argumentsDoc(node)],
    node.filter === undefined ? '' : [' ', filterDoc(node.filter)],
    node.over === undefined ? '' : [' ', overDoc(node.over)],
  ];
}

function argumentsDoc(node: FunctionCall): Doc {
  if (node.star) return '(*)';
  const least = node.name.text.toUpperCase() === 'POSITION' ? precedence.other : 0;
  const values = node.arguments.map((item, index) => expressionDoc(item, index === 0 ? least : 0));
  const [first, ...rest] = values;
  if (first === undefined) return '()';
  const list = [node.distinct ? ['DISTINCT ', first] : first, ...rest];
  if (node.orderBy.length === 0) return parenthesised(list);
  const order = [line, 'ORDER BY ', ...join(', ', node.orderBy.map(orderItemDoc))];
  return group('(', indent(softLine, ...join([',', line], list), ...order), softLine, ')');
}

/** The forms with words for commas; arguments are in plain order. */
function wordsDoc({ name, arguments: values, trim }: FunctionCall): Doc {
  const [first, second, third] = values;
  const docs = values.map((item) => expressionDoc(item));
  switch (name.text.toUpperCase()) {
    case 'POSITION':
      return [first === undefined ? '' : expressionDoc(first, precedence.other), ' IN ', docs[1] ?? ''];
    case 'TRIM':
      return [
        trim === undefined ? '' : `${trim} `,
        second === undefined ? '' : [docs[1] ?? '', ' '],
        'FROM ',
        docs[0] ?? '',
      ];
    default:
      return [docs[0] ?? '', ' FROM ', docs[1] ?? '', third === undefined ? '' : [' FOR ', docs[2] ?? '']];
  }
}
