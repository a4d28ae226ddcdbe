import fc, { type Arbitrary } from 'fast-check';
import type { Span } from '../../language/source/span.ts';
import type * as Ast from '../../compiler/syntax/ast.ts';

/** Random trees of every kind that the parser can build. Spans mean nothing. */
const span: Span = { file: { name: 'none', text: '' }, start: 0, end: 0 };

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom("it's", '{{x}}', 'a\nb', '--', '/*', ';', 'ünïcode', '\u2028'),
);
const spelling = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'data',
    'status',
    'select',
    'from',
    'end',
    'left',
    'date',
    'position',
    'current_date',
    'current_user',
    'claim',
    'visible',
    'allow',
    'values',
    'with',
  ),
  fc.constantFrom(
    'filter',
    'emit',
    'branch',
    'as',
    'Bike$Events',
    'a b',
    'a"b',
    'exists',
    'not',
    'recursive',
    'any',
    'trim',
    'key',
    'null',
  ),
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }).filter((value) => !/[\n\r]/.test(value)),
);
const name: Arbitrary<Ast.Name> = spelling.map((value) => ({ kind: 'Name', span, text: value, quoted: true }));
const names = fc.array(name, { minLength: 1, maxLength: 3 });
const type: Arbitrary<Ast.TypeName> = fc
  .constantFrom<readonly [string, readonly number[]]>(
    ...([
      ['STRING', []],
      ['INT', []],
      ['DECIMAL', [12, 2]],
      ['VARCHAR', [7]],
      ['JSON', []],
      ['COLOUR', []],
    ] as const),
  )
  .map(([word, numbers]) => ({ kind: 'TypeName', span, name: word, arguments: numbers }));

function node<K extends string, T extends object>(
  kind: K,
  parts: { [P in keyof T]: Arbitrary<T[P]> },
): Arbitrary<{ kind: K; span: Span } & T> {
  return fc.record(parts as { [P in keyof T]-?: Arbitrary<T[P]> }).map((values) => ({ kind, span, ...(values as T) }));
}

/** A key that is either there or not there. */
function maybe<K extends string, V>(key: K, value: Arbitrary<V>): Arbitrary<{ [P in K]?: V }> {
  return fc
    .option(value, { nil: undefined })
    .map((found) => (found === undefined ? {} : { [key]: found }) as { [P in K]?: V });
}

/** The parts of a node as one; what kind it is, is for the table at the end to say. */
function joined(...parts: readonly Arbitrary<object>[]): Arbitrary<never> {
  return fc.tuple(...parts).map((found) => Object.assign({}, ...found) as never);
}

const number: Arbitrary<Ast.Expression> = fc
  .constantFrom('0', '7', '7.50', '.5', '1e3', '1.5E-7', '99999999999999999999999')
  .map((digits) => ({ kind: 'NumberLiteral', span, text: digits }));
const string: Arbitrary<Ast.Expression> = text.map((value) => ({ kind: 'StringLiteral', span, value }));
const literal: Arbitrary<Ast.Expression> = fc.oneof(
  number,
  string,
  fc.boolean().map((value): Ast.Expression => ({ kind: 'BooleanLiteral', span, value })),
  fc.constant<Ast.Expression>({ kind: 'NullLiteral', span }),
  fc
    .constantFrom('DATE' as const, 'TIMESTAMP' as const)
    .map((kind): Ast.Expression => ({ kind: 'TypedLiteral', span, type: kind, value: '2026-01-01' })),
  fc
    .tuple(fc.constantFrom('-' as const, '+' as const), number)
    .map(([operator, operand]): Ast.Expression => ({ kind: 'Unary', span, operator, operand })),
);

const binaryOperators = [
  'OR',
  'AND',
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '%',
  '||',
  'IS DISTINCT FROM',
  'IS NOT DISTINCT FROM',
] as const;
const comparisons = ['=', '<>', '<', '<=', '>', '>='] as const;
const callNames = [
  'COUNT',
  'sum',
  'LEFT',
  'my func',
  'replace',
  'exists',
  'extract',
  'any',
  'date',
  'select',
  'filter',
] as const;

const trees = fc.letrec<{ expression: Ast.Expression; query: Ast.Query; relation: Ast.Relation; body: Ast.QueryBody }>(
  (tie) => {
    const deep = { depthIdentifier: 'tree', maxDepth: 5, depthSize: 'small' } as const;
    const expression = tie('expression');
    const expressions = fc.array(expression, { minLength: 1, maxLength: 3 });
    const negated = { negated: fc.boolean() };
    const orderItem: Arbitrary<Ast.OrderItem> = joined(
      node('OrderItem', { expression }),
      maybe('direction', fc.constantFrom('ASC' as const, 'DESC' as const)),
      maybe('nulls', fc.constantFrom('FIRST' as const, 'LAST' as const)),
    );
    const orderBy = fc.array(orderItem, { maxLength: 2 });
    const bound: Arbitrary<Ast.FrameBound> = fc.oneof(
      fc.constantFrom<Ast.FrameBound>(
        { at: 'UNBOUNDED PRECEDING' },
        { at: 'CURRENT ROW' },
        { at: 'UNBOUNDED FOLLOWING' },
      ),
      fc
        .tuple(fc.constantFrom('PRECEDING' as const, 'FOLLOWING' as const), number)
        .map(([at, offset]) => ({ at, offset })),
    );
    const frame = joined(
      node('WindowFrame', { unit: fc.constantFrom('ROWS', 'RANGE', 'GROUPS'), start: bound }),
      maybe('end', bound),
      maybe('exclude', fc.constantFrom('CURRENT ROW', 'GROUP', 'TIES', 'NO OTHERS')),
    );
    const over = joined(
      node('WindowSpecification', { partitionBy: fc.array(expression, { maxLength: 2 }), orderBy }),
      maybe('frame', frame),
      maybe('base', name),
    );
    const window = node('WindowDefinition', { name, specification: over });
    const call = (given: Arbitrary<object>) =>
      joined(
        node('FunctionCall', {
          name: fc.constantFrom(...callNames).map((value) => ({ kind: 'Name', span, text: value, quoted: true })),
        }),
        fc.constant({ form: 'plain', star: false, distinct: false, arguments: [], orderBy: [] }),
        given,
        maybe('filter', expression),
        maybe('over', fc.oneof(over, name)),
      );
    const words = (value: string, least: number, most: number, trim?: string) =>
      fc.array(expression, { minLength: least, maxLength: most }).map((values) => ({
        ...{
          kind: 'FunctionCall',
          span,
          name: { kind: 'Name', span, text: value, quoted: false },
          form: 'words',
          star: false,
        },
        distinct: false,
        arguments: values,
        orderBy: [],
        ...(trim === undefined ? {} : { trim }),
      }));
    const compound = fc.oneof(
      deep,
      node('Unary', { operator: fc.constantFrom('-', '+', 'NOT'), operand: expression }),
      node('Binary', { operator: fc.constantFrom(...binaryOperators), left: expression, right: expression }),
      node('Binary', { operator: fc.constantFrom(...binaryOperators), left: expression, right: expression }),
      node('IsTest', { operand: expression, test: fc.constantFrom('NULL', 'TRUE', 'FALSE', 'UNKNOWN'), ...negated }),
      joined(
        node('Between', { operand: expression, low: expression, high: expression, ...negated }),
        maybe('symmetric', fc.constant(true as const)),
      ),
      node('InList', { operand: expression, list: expressions, ...negated }),
      node('InQuery', { operand: expression, query: tie('query'), ...negated }),
      node('AnyComparison', { operator: fc.constantFrom(...comparisons), left: expression, list: expression }),
      joined(
        node('Like', { operand: expression, pattern: expression, caseInsensitive: fc.boolean(), ...negated }),
        maybe('escape', expression),
      ),
      node('JsonGet', { operator: fc.constantFrom('->', '->>'), operand: expression, key: expression }),
      joined(
        node('Case', {
          branches: fc.array(node('CaseBranch', { when: expression, then: expression }), {
            minLength: 1,
            maxLength: 2,
          }),
        }),
        maybe('operand', expression),
        maybe('otherwise', expression),
      ),
      node('Cast', { operand: expression, type, form: fc.constantFrom('CAST', '::') }),
      node('AtTimeZone', { operand: expression, zone: expression }),
      node('Extract', { field: fc.constantFrom('YEAR', 'MONTH', 'DATE'), operand: expression }),
      call(fc.constant({ star: true })),
      call(fc.record({ arguments: expressions, distinct: fc.boolean(), orderBy })),
      call(fc.constant({})),
      words('POSITION', 2, 2),
      words('SUBSTRING', 2, 3),
      words('TRIM', 1, 2),
      words('TRIM', 1, 2, 'LEADING'),
      fc.constant({
        kind: 'FunctionCall',
        span,
        name: { kind: 'Name', span, text: 'CURRENT_DATE', quoted: false },
        form: 'bare',
        star: false,
        distinct: false,
        arguments: [],
        orderBy: [],
      }),
      node('Exists', { query: tie('query') }),
      node('ScalarSubquery', { query: tie('query') }),
    ) as Arbitrary<Ast.Expression>;
    const leaf = fc.oneof(
      literal,
      names.map((path): Ast.Expression => ({ kind: 'ColumnReference', span, path })),
      name.map((bind): Ast.Expression => ({ kind: 'BindParameter', span, name: bind })),
    );

    const alias = maybe('alias', name);
    const item = fc.oneof(
      joined(node('SelectStar', {}), maybe('qualifier', name)),
      joined(node('SelectExpression', { expression }), alias),
    );
    const select = joined(
      node('Select', {
        distinct: fc.boolean(),
        items: fc.array(item, { minLength: 1, maxLength: 3 }),
        groupBy: fc.array(expression, { maxLength: 2 }),
      }),
      maybe('from', tie('relation')),
      maybe('where', expression),
      maybe('having', expression),
      node('Select', { windows: fc.array(window, { maxLength: 2 }) }),
    );
    const values = fc.array(expressions, { minLength: 1, maxLength: 2 }).map((rows): Ast.Values => ({
      kind: 'Values',
      span,
      rows: rows.map((row) => ({ kind: 'ValuesRow', span, values: row })),
    }));
    const term = fc.oneof({ ...deep, maxDepth: 3 }, select, values, tie('query'));
    const setOperation = fc
      .tuple(
        term,
        fc.array(fc.tuple(fc.constantFrom('UNION' as const, 'EXCEPT' as const), fc.boolean(), term), {
          minLength: 1,
          maxLength: 2,
        }),
        fc.boolean(),
      )
      .map(([first, rest, intersects]) =>
        rest.reduce<Ast.QueryBody>(
          (left, [operator, all, right]) => ({
            kind: 'SetOperation',
            span,
            operator,
            all,
            left,
            right: intersects ? intersect(right, right) : right,
          }),
          first,
        ),
      );
    const table = joined(node('CommonTable', { name, query: tie('query') }), maybe('columns', names));
    const withTables = fc.oneof(deep, fc.constant([]), fc.constant([]), fc.array(table, { maxLength: 2 }));
    const query = joined(
      fc.record({
        kind: fc.constant('Query' as const),
        span: fc.constant(span),
        with: withTables,
        body: tie('body'),
        orderBy,
      }),
      fc.boolean().map((recursive) => ({ recursive })),
      maybe('limit', expression),
      maybe('offset', expression),
    ).map((found) => settled(found as unknown as Ast.Query));

    const source = fc.oneof(
      deep,
      joined(node('NamedRelation', { name }), maybe('schema', name), aliased(name)),
      joined(node('DerivedRelation', { query: tie('query') }), aliased(name)),
    );
    const join = fc
      .tuple(
        tie('relation'),
        tie('relation'),
        fc.constantFrom('INNER', 'LEFT', 'RIGHT', 'FULL', 'CROSS'),
        fc.oneof(expression, names),
      )
      .map(([left, right, kind, condition]) => {
        const given = Array.isArray(condition) ? { using: condition } : { on: condition };
        return { kind: 'Join', span, type: kind, left, right, ...(kind === 'CROSS' ? {} : given) };
      });
    return {
      expression: fc.oneof(deep, leaf, leaf, compound),
      query,
      relation: fc.oneof(deep, source, source, join) as unknown as Arbitrary<Ast.Relation>,
      body: fc.oneof(deep, select, values, setOperation, tie('query')),
    };
  },
);

function aliased(arbitrary: Arbitrary<Ast.Name>): Arbitrary<object> {
  return fc.oneof(
    fc.constant({}),
    fc
      .tuple(arbitrary, fc.option(names, { nil: undefined }))
      .map(([alias, columns]) => (columns === undefined ? { alias } : { alias, columns })),
  );
}

function intersect(left: Ast.QueryBody, right: Ast.QueryBody): Ast.QueryBody {
  return { kind: 'SetOperation', span, operator: 'INTERSECT', all: false, left, right };
}

/** A query that is nothing but another is that one, and RECURSIVE goes with a WITH: the parser builds no other. */
function settled(query: Ast.Query): Ast.Query {
  const recursive = query.recursive && query.with.length > 0;
  const alone =
    query.with.length === 0 && query.orderBy.length === 0 && query.limit === undefined && query.offset === undefined;
  return alone && query.body.kind === 'Query' ? query.body : { ...query, recursive };
}

export const arbitraryExpression: Arbitrary<Ast.Expression> = trees.expression;
export const arbitraryQuery: Arbitrary<Ast.Query> = trees.query;

const field = { name, type };
const check = joined(node('Check', { condition: arbitraryExpression }), maybe('message', string));
const checks = fc.array(check, { maxLength: 2 });
const commandField = joined(
  node('CommandField', { ...field, key: fc.boolean(), sensitive: fc.boolean(), nullable: fc.boolean(), checks }),
  maybe('default', literal),
);
const base = { orReplace: fc.boolean(), name };
const assignments = fc.array(node('Assignment', { field: name, value: arbitraryExpression }), { maxLength: 3 });
const emit = joined(
  node('Emit', { event: name, assignments }),
  maybe('to', node('EmitTarget', { aggregate: name, stream: arbitraryExpression })),
);
const branch = joined(
  node('Branch', { emits: fc.array(emit, { minLength: 1, maxLength: 2 }) }),
  maybe('label', name),
  maybe('guard', arbitraryExpression),
);
const storeValue = fc.oneof(
  text.map((value) => ({ type: 'string', text: value })),
  fc.constantFrom('1', '-2.5').map((value) => ({ type: 'number', text: value })),
  fc.boolean().map((value) => ({ type: 'boolean', value })),
  fc.array(text, { minLength: 1, maxLength: 3 }).map((items) => ({ type: 'tuple', items })),
  text.map((variable) => ({ type: 'env', variable })),
);
/** The parentheses of an APPLY hold no query. */
const listedField = commandField.map((each) => ({ ...(each as Ast.CommandField), checks: [] }));
const templateValue = fc.oneof(
  text.map((value) => ({ type: 'string', text: value })),
  fc.constantFrom('1', '-2.5').map((value) => ({ type: 'number', text: value })),
  fc.constant({ type: 'null' }),
  fc.array(listedField, { maxLength: 2 }).map((fields) => ({ type: 'fields', fields })),
);
const relationName = joined(node('RelationName', { name }), maybe('schema', name));

const candidate = node('CandidateSchema', { from: fc.constantFrom('text', 'file'), value: text });

/** VISIBLE and CLEAR. */
const rowClauses = [
  maybe('visible', joined(node('Visible', {}), maybe('condition', arbitraryExpression))),
  maybe('clear', arbitraryExpression),
] as const;
const allow = joined(node('Allow', { condition: arbitraryExpression }), maybe('message', string));
const listType = fc.tuple(type, fc.boolean()).map(([of, isList]) => (isList ? { ...of, isList } : of));

/** Any statement but CREATE TEMPLATE, whose body is text. */
export const arbitraryStatement = fc.oneof(
  joined(
    node('CreateAggregate', {
      ...base,
      fields: fc.array(
        joined(
          node('AggregateField', { ...field, key: fc.boolean() }),
          maybe('default', literal),
          maybe('fold', arbitraryExpression),
        ),
        { maxLength: 3 },
      ),
    }),
    ...rowClauses,
  ),
  joined(
    node('CreateCommand', { ...base, fields: fc.array(commandField, { minLength: 1, maxLength: 3 }), checks }),
    maybe('allow', allow),
  ),
  node('CreateEvent', {
    ...base,
    fields: fc.array(
      node('EventField', { ...field, sensitive: fc.boolean(), volatile: fc.boolean(), tag: fc.boolean() }),
      { maxLength: 3 },
    ),
    upcasts: fc.array(
      joined(
        node('Upcast', { fields: fc.array(node('OldField', field), { maxLength: 3 }), assignments }),
        maybe('event', name),
      ),
      { maxLength: 2 },
    ),
  }),
  joined(
    node('CreateDecision', {
      ...base,
      aggregate: name,
      command: name,
      branches: fc.array(branch, { minLength: 1, maxLength: 2 }),
    }),
    maybe('state', arbitraryQuery),
  ),
  joined(node('CreateProjection', { ...base, query: arbitraryQuery }), ...rowClauses),
  node('CreateEventStore', {
    ...base,
    options: fc.array(node('StoreOption', { key: name, value: storeValue }), { maxLength: 3 }),
  }),
  node('CreateEnum', {
    ...base,
    values: fc.array(node('StringLiteral', { value: text }), { minLength: 1, maxLength: 3 }),
  }),
  node('CreateClaim', {
    ...base,
    type: listType,
    sensitive: fc.boolean(),
    path: fc.array(node('StringLiteral', { value: text }), { maxLength: 3 }),
  }),
  node('CreateFunction', {
    ...base,
    parameters: fc.array(node('FunctionParameter', field), { maxLength: 3 }),
    returns: type,
    body: arbitraryExpression,
  }),
  node('ApplyTemplate', {
    template: name,
    arguments: fc.array(node('TemplateArgument', { name, value: templateValue }), { maxLength: 3 }),
  }),
  node('DropBlock', {
    block: fc.constantFrom('aggregate', 'eventstore', 'template', 'enum', 'function', 'claim'),
    name,
  }),
  node('DropTable', { name }),
  node('Execute', {
    command: name,
    arguments: assignments,
    options: fc.array(node('ExecuteOption', { name, value: arbitraryExpression }), { maxLength: 2 }),
  }),
  node('QueryStatement', { query: arbitraryQuery }),
  joined(
    node('CreateTable', { name, source: arbitraryQuery.map((query) => (isPlainValues(query) ? query.body : query)) }),
    maybe('columns', names),
  ),
  joined(
    node('InspectDecision', { decision: name, source: relationName, target: relationName }),
    maybe('where', arbitraryExpression),
    maybe('limit', arbitraryExpression),
    maybe('store', name),
    maybe('schema', candidate),
  ),
  joined(
    node('InspectReaction', { reaction: name, source: relationName, target: relationName }),
    maybe('where', arbitraryExpression),
    maybe('limit', arbitraryExpression),
    maybe('store', name),
    maybe('schema', candidate),
  ),
  joined(
    node('InspectProjection', { projection: name, source: relationName, target: relationName }),
    maybe('offset', arbitraryExpression),
    maybe('where', arbitraryExpression),
    maybe('limit', arbitraryExpression),
    maybe('store', name),
    maybe('schema', candidate),
  ),
  node('Describe', { what: fc.constantFrom('event', 'inspection'), name }),
  node('DescribeAll', { what: fc.constantFrom('aggregate', 'inspection') }),
  node('Validate', {}),
  node('Export', {}),
  node('Explain', {
    target: fc.oneof(
      arbitraryQuery.map((query) => ({ type: 'query', query })),
      name.map((block) => ({ type: 'decision', name: block })),
    ),
  }),
) as unknown as Arbitrary<Ast.Statement>;

function isPlainValues(query: Ast.Query): boolean {
  const bare = query.with.length === 0 && query.orderBy.length === 0;
  return bare && query.limit === undefined && query.offset === undefined && query.body.kind === 'Values';
}
