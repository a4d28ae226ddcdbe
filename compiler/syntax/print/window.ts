import type {
  Expression,
  FrameBound,
  Name,
  OrderItem,
  WindowDefinition,
  WindowFrame,
  WindowSpecification,
} from '../ast.ts';
import { precedence } from '../precedence.ts';
import { group, indent, join, line, parenthesised, softLine, type Doc } from './doc.ts';
import { expressionDoc } from './expression.ts';
import { printNameAmongWords } from './words.ts';

export function filterDoc(filter: Expression): Doc {
  return ['FILTER ', parenthesised([['WHERE ', expressionDoc(filter)]])];
}

export function orderItemDoc({ expression, direction, nulls }: OrderItem): Doc {
  const words = [direction, nulls === undefined ? undefined : `NULLS ${nulls}`].filter((word) => word !== undefined);
  return [expressionDoc(expression), ...words.map((word) => ` ${word}`)];
}

/** `ORDER BY …` of a query, a call or a window. */
export function orderByDoc(items: readonly OrderItem[]): Doc {
  return ['ORDER BY', group(indent(line, ...join([',', line], items.map(orderItemDoc))))];
}

export function overDoc(node: WindowSpecification | Name): Doc {
  return ['OVER ', node.kind === 'Name' ? printNameAmongWords(node) : windowDoc(node)];
}

/** `WINDOW w AS (…), …`. */
export function windowsDoc(windows: readonly WindowDefinition[]): Doc {
  const docs = windows.map(({ name, specification }): Doc => [
    printNameAmongWords(name),
    ' AS ',
    windowDoc(specification),
  ]);
  return ['WINDOW', group(indent(line, ...join([',', line], docs)))];
}

function windowDoc({ base, partitionBy, orderBy, frame }: WindowSpecification): Doc {
  const parts: Doc[] = [];
  if (base !== undefined) parts.push(printNameAmongWords(base));
  if (partitionBy.length > 0)
    parts.push([
      'PARTITION BY ',
      ...join(
        ', ',
        partitionBy.map((item) => expressionDoc(item)),
      ),
    ]);
  if (orderBy.length > 0) parts.push(orderByDoc(orderBy));
  if (frame !== undefined) parts.push(frameDoc(frame));
  if (parts.length === 0) return '()';
  return group('(', indent(softLine, ...join(line, parts)), softLine, ')');
}

function frameDoc({ unit, start, end, exclude }: WindowFrame): Doc {
  const rows = end === undefined ? [' ', boundDoc(start)] : [' BETWEEN ', boundDoc(start), ' AND ', boundDoc(end)];
  return [unit, ...rows, exclude === undefined ? '' : ` EXCLUDE ${exclude}`];
}

function boundDoc(bound: FrameBound): Doc {
  return 'offset' in bound ? [expressionDoc(bound.offset, precedence.other), ` ${bound.at}`] : bound.at;
}
