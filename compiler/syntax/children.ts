/** Which keys of a node hold its children: one table, typed from the `Node` union, so that a forgotten kind or key does not compile. */
import type { Expression, Node, WindowFrame } from './ast.ts';

type NodeOf<K extends Node['kind']> = Extract<Node, { readonly kind: K }>;
/** The keys of a node whose value is a node or a list of nodes. */
type ChildKey<N> = { [P in keyof N]-?: NonNullable<N[P]> extends Node | readonly Node[] ? P : never }[keyof N];
type ChildTable = { readonly [K in Node['kind']]: { readonly [P in ChildKey<NodeOf<K>>]: true } };

/** In the order in which they are written. */
export const childKeys: ChildTable = {
  Name: {},
  TypeName: {},
  AsOf: { time: true },
  StringLiteral: {},
  NumberLiteral: {},
  BooleanLiteral: {},
  NullLiteral: {},
  TypedLiteral: {},
  BindParameter: { name: true },
  ColumnReference: { path: true },
  Unary: { operand: true },
  Binary: { left: true, right: true },
  IsTest: { operand: true },
  Between: { operand: true, low: true, high: true },
  InList: { operand: true, list: true },
  InQuery: { operand: true, query: true },
  AnyQuery: { left: true, query: true },
  AnyComparison: { left: true, list: true },
  Like: { operand: true, pattern: true, escape: true },
  JsonGet: { operand: true, key: true },
  Case: { operand: true, branches: true, otherwise: true },
  CaseBranch: { when: true, then: true },
  Cast: { operand: true, type: true },
  AtTimeZone: { operand: true, zone: true },
  Extract: { operand: true },
  FunctionCall: { name: true, arguments: true, orderBy: true, filter: true, over: true },
  Exists: { query: true },
  ScalarSubquery: { query: true },
  WindowDefinition: { name: true, specification: true },
  WindowSpecification: { base: true, partitionBy: true, orderBy: true, frame: true },
  WindowFrame: {},
  OrderItem: { expression: true },
  Query: { with: true, body: true, orderBy: true, limit: true, offset: true },
  CommonTable: { name: true, columns: true, query: true },
  SetOperation: { left: true, right: true },
  Values: { rows: true },
  ValuesRow: { values: true },
  Select: { items: true, from: true, where: true, groupBy: true, having: true, windows: true },
  SelectExpression: { expression: true, alias: true },
  SelectStar: { qualifier: true },
  NamedRelation: { schema: true, name: true, alias: true, columns: true },
  DerivedRelation: { query: true, alias: true, columns: true },
  Join: { left: true, right: true, on: true, using: true },
  CreateAggregate: { name: true, fields: true, visible: true, clear: true },
  Visible: { condition: true },
  AggregateField: { name: true, type: true, default: true, fold: true },
  CreateCommand: { name: true, fields: true, checks: true, allow: true },
  Allow: { condition: true, message: true },
  CommandField: { name: true, type: true, default: true, checks: true },
  Check: { condition: true, message: true },
  CreateEvent: { name: true, fields: true, upcasts: true },
  EventField: { name: true, type: true },
  Upcast: { event: true, fields: true, assignments: true },
  OldField: { name: true, type: true },
  CreateDecision: { name: true, aggregate: true, command: true, state: true, branches: true },
  Branch: { label: true, emits: true, guard: true },
  Emit: { event: true, assignments: true, to: true },
  EmitTarget: { aggregate: true, stream: true },
  Assignment: { field: true, value: true },
  CreateProjection: { name: true, visible: true, clear: true, query: true },
  CreateEventStore: { name: true, options: true },
  StoreOption: { key: true },
  CreateTemplate: { name: true, parameters: true },
  TemplateParameter: { name: true, type: true },
  CreateEnum: { name: true, values: true },
  CreateClaim: { name: true, type: true, path: true },
  CreateFunction: { name: true, parameters: true, returns: true, body: true },
  FunctionParameter: { name: true, type: true },
  CreateSubscription: { name: true, from: true, query: true, key: true, delivery: true, options: true },
  StartPoint: {},
  Delivery: {},
  CreateReaction: { name: true, from: true, events: true, aggregate: true, state: true, executions: true },
  Execution: { label: true, command: true, assignments: true, due: true, unless: true, guard: true },
  Due: { value: true },
  ApplyTemplate: { template: true, arguments: true },
  TemplateArgument: { name: true },
  DropBlock: { name: true },
  Execute: { command: true, arguments: true, options: true },
  ExecuteOption: { name: true, value: true },
  QueryStatement: { query: true, asOf: true },
  CreateTable: { name: true, columns: true, source: true, asOf: true },
  DropTable: { name: true },
  RelationName: { schema: true, name: true },
  CandidateSchema: {},
  InspectDecision: {
    decision: true,
    source: true,
    target: true,
    where: true,
    limit: true,
    asOf: true,
    store: true,
    schema: true,
  },
  InspectProjection: {
    projection: true,
    source: true,
    target: true,
    offset: true,
    where: true,
    limit: true,
    asOf: true,
    store: true,
    schema: true,
  },
  InspectReaction: {
    reaction: true,
    source: true,
    target: true,
    where: true,
    limit: true,
    asOf: true,
    store: true,
    schema: true,
  },
  Describe: { name: true },
  DescribeAll: {},
  Validate: {},
  Export: { asOf: true },
  Explain: {},
  Advance: { to: true },
  SetCaller: { caller: true },
  WrittenCaller: { subject: true, roles: true, claims: true },
  WrittenClaim: { name: true, values: true },
};

/** The children of a node, in the order in which they are written (clauses of free order: in the order of the keys). */
export function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  const values = node as unknown as Readonly<Record<string, Node | readonly Node[] | undefined>>; // by the keys of the table
  for (const key of Object.keys(childKeys[node.kind])) {
    const value = values[key];
    if (value === undefined) continue;
    if (isList(value)) for (const item of value) children.push(item);
    else children.push(value);
  }
  return nestedChildren(node, children);
}

function isList(value: Node | readonly Node[]): value is readonly Node[] {
  return Array.isArray(value);
}

/** Three kinds keep children one level further down, in a part that is not a node itself. */
function nestedChildren(node: Node, children: Node[]): readonly Node[] {
  if (node.kind === 'WindowFrame') return frameOffsets(node);
  if (node.kind === 'TemplateArgument' && node.value.type === 'fields') children.push(...node.value.fields);
  if (node.kind === 'Explain') {
    const { target } = node;
    if (target.type === 'access') return target.caller === undefined ? children : [...children, target.caller];
    children.push(target.type === 'query' ? target.query : target.name);
    if (target.type === 'query' && target.asOf !== undefined) children.push(target.asOf);
  }
  return children;
}

function frameOffsets(frame: WindowFrame): readonly Expression[] {
  return [frame.start, frame.end].flatMap((bound) => (bound !== undefined && 'offset' in bound ? [bound.offset] : []));
}
