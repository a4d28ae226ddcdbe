import type { BlockStatement, Name, Query, SelectItem } from './ast.ts';

/** A name that a block declares: its own, or that of a part of it. */
export interface Declaration {
  readonly name: Name;
  readonly part?: string;
}

/** The declarations of a block in the order of the text: fields, parameters, values, and the columns of a projection or a STATE that have a name of their own. */
export function declarationsIn(block: BlockStatement): readonly Declaration[] {
  return [{ name: block.name }, ...partsOf(block).map((name) => ({ name, part: name.text }))];
}

function partsOf(block: BlockStatement): readonly Name[] {
  switch (block.kind) {
    case 'CreateAggregate':
    case 'CreateCommand':
    case 'CreateEvent':
      return block.fields.map(({ name }) => name);
    case 'CreateTemplate':
    case 'CreateFunction':
      return block.parameters.map(({ name }) => name);
    case 'CreateProjection':
    case 'CreateSubscription':
      return columnsOf(block.query);
    case 'CreateDecision':
    case 'CreateReaction':
      return block.state === undefined ? [] : columnsOf(block.state);
    case 'CreateEnum':
      return block.values.map(({ value, span }) => ({
        kind: 'Name',
        text: value,
        span,
        quoted: true,
      }));
    case 'CreateEventStore':
    case 'CreateClaim':
      return [];
  }
}

/** The items of the first select, which gives a query its columns. */
export function itemsOf(query: Query): readonly SelectItem[] {
  let { body } = query;
  while (body.kind === 'SetOperation') body = body.left;
  if (body.kind === 'Query') return itemsOf(body);
  return body.kind === 'Select' ? body.items : [];
}

/** Column names of the first select, which gives a query its names. */
function columnsOf(query: Query): readonly Name[] {
  return itemsOf(query).flatMap((item) => {
    if (item.kind !== 'SelectExpression') return [];
    if (item.alias !== undefined) return [item.alias];
    return item.expression.kind === 'ColumnReference' ? item.expression.path.slice(-1) : [];
  });
}
