import type {
  AsOf,
  CommonTable,
  DerivedRelation,
  Join,
  Name,
  NamedRelation,
  Query,
  QueryBody,
  Relation,
  RelationName,
  Select,
  SelectItem,
  SetOperation,
  Values,
} from '../ast.ts';
import { asOfDoc } from './as-of.ts';
import { clauses, group, indent, join, line, parenthesised, softLine, type Doc } from './doc.ts';
import { expressionDoc, subqueryDoc } from './expression.ts';
import { orderByDoc, windowsDoc } from './window.ts';
import { printName, printWord } from './words.ts';

/** A query: one line per clause if it does not fit on one. */
export function queryDoc(query: Query): Doc {
  return wholeQueryDoc({ query });
}

/** A query with the moment that ends it. */
export function wholeQueryDoc({ query, asOf }: { readonly query: Query; readonly asOf?: AsOf | undefined }): Doc {
  const parts: Doc[] = [];
  if (query.with.length > 0) parts.push(withDoc(query));
  parts.push(...bodyParts(query.body));
  if (query.orderBy.length > 0) parts.push(orderByDoc(query.orderBy));
  if (query.limit !== undefined) parts.push(['LIMIT ', expressionDoc(query.limit)]);
  if (query.offset !== undefined) parts.push(['OFFSET ', expressionDoc(query.offset)]);
  if (asOf !== undefined) parts.push(asOfDoc(asOf));
  return clauses(...join(line, parts));
}

function withDoc({ recursive, with: tables }: Query): Doc {
  return [
    recursive ? 'WITH RECURSIVE' : 'WITH',
    clauses(indent(line, ...join([',', line], tables.map(commonTableDoc)))),
  ];
}

function commonTableDoc({ name, columns, query }: CommonTable): Doc {
  return [printName(name), columnsDoc(columns), ' AS ', subqueryDoc({ query })];
}

function columnsDoc(columns: readonly Name[] | undefined): Doc {
  return columns === undefined ? '' : [' ', parenthesised(columns.map(printName))];
}

/** The clauses of a body, each a line of the query it belongs to. */
function bodyParts(body: QueryBody): readonly Doc[] {
  switch (body.kind) {
    case 'Select':
      return selectParts(body);
    case 'Values':
      return [valuesDoc(body)];
    case 'Query':
      return [subqueryDoc({ query: body })];
    case 'SetOperation':
      return setParts(body);
  }
}

/** A chain of set operations leans to the left; each operator has its own line. */
function setParts(root: SetOperation): readonly Doc[] {
  const parts: (readonly Doc[])[] = [];
  let left: QueryBody = root;
  while (left.kind === 'SetOperation' && bindsAsTightly(left, root)) {
    parts.push([`${left.operator}${left.all ? ' ALL' : ''}`, ...termParts(left.right, left)]);
    left = left.left;
  }
  return [...termParts(left, root), ...parts.reverse().flat()];
}

function bindsAsTightly(inner: SetOperation, outer: SetOperation): boolean {
  return (inner.operator === 'INTERSECT') === (outer.operator === 'INTERSECT');
}

/** Only an INTERSECT inside a UNION or EXCEPT needs no parentheses. */
function termParts(term: QueryBody, outer: SetOperation): readonly Doc[] {
  const plain = term.kind !== 'SetOperation' || (term.operator === 'INTERSECT' && outer.operator !== 'INTERSECT');
  return plain ? bodyParts(term) : [group('(', indent(softLine, ...join(line, bodyParts(term))), softLine, ')')];
}

export function valuesDoc({ rows }: Values): Doc {
  const docs = rows.map((row) => parenthesised(row.values.map((value) => expressionDoc(value))));
  return group('VALUES', indent(line, ...join([',', line], docs)));
}

function selectParts(select: Select): readonly Doc[] {
  const items = join([',', line], select.items.map(selectItemDoc));
  const parts: Doc[] = [[select.distinct ? 'SELECT DISTINCT' : 'SELECT', clauses(indent(line, ...items))]];
  if (select.from !== undefined) parts.push(['FROM ', relationDoc(select.from)]);
  if (select.where !== undefined) parts.push(['WHERE ', expressionDoc(select.where)]);
  if (select.groupBy.length > 0) {
    parts.push([
      'GROUP BY',
      group(
        indent(
          line,
          ...join(
            [',', line],
            select.groupBy.map((item) => expressionDoc(item)),
          ),
        ),
      ),
    ]);
  }
  if (select.having !== undefined) parts.push(['HAVING ', expressionDoc(select.having)]);
  if (select.windows.length > 0) parts.push(windowsDoc(select.windows));
  return parts;
}

function selectItemDoc(item: SelectItem): Doc {
  if (item.kind === 'SelectStar') return item.qualifier === undefined ? '*' : `${printName(item.qualifier)}.*`;
  const doc = expressionDoc(item.expression);
  return item.alias === undefined ? doc : [doc, ` AS ${printName(item.alias)}`];
}

function relationDoc(relation: Relation): Doc {
  switch (relation.kind) {
    case 'NamedRelation':
      return [relationNameText(relation), aliasDoc(relation)];
    case 'DerivedRelation':
      return [relation.lateral === true ? 'LATERAL ' : '', subqueryDoc(relation), aliasDoc(relation)];
    case 'Join':
      return joinDoc(relation);
  }
}

/** `Reg."Bike$Events"`. */
export function relationNameText({ schema, name }: Pick<RelationName, 'schema' | 'name'>): string {
  return schema === undefined ? printName(name) : `${printName(schema)}.${printWord(name.text)}`;
}

function aliasDoc({ alias, columns }: NamedRelation | DerivedRelation): Doc {
  return alias === undefined ? '' : [` AS ${printName(alias)}`, columnsDoc(columns)];
}

/** A chain of joins leans to the left; each join has its own line. */
function joinDoc(root: Join): Doc {
  const rest: Doc[] = [];
  let left: Relation = root;
  while (left.kind === 'Join') {
    rest.push([line, joinWords(left.type), ' ', joinedDoc(left.right), conditionDoc(left)]);
    left = left.left;
  }
  return clauses(relationDoc(left), indent(...rest.reverse()));
}

function joinWords(type: Join['type']): string {
  return type === 'INNER' ? 'JOIN' : `${type} JOIN`;
}

function joinedDoc(right: Relation): Doc {
  return right.kind === 'Join' ? group('(', indent(softLine, relationDoc(right)), softLine, ')') : relationDoc(right);
}

function conditionDoc({ on, using }: Join): Doc {
  if (on !== undefined) return [' ON ', expressionDoc(on)];
  return using === undefined ? '' : [' USING ', parenthesised(using.map(printName))];
}
