import type {
  AggregateField,
  Allow,
  Assignment,
  BlockStatement,
  Branch,
  Check,
  CommandField,
  CreateDecision,
  CreateSubscription,
  CreateReaction,
  CreateTemplate,
  Due,
  Emit,
  EmitTarget,
  EventField,
  StartPoint,
  Execution,
  RowClauseNodes,
  StoreOption,
  StoreValue,
  TemplateParameter,
  Upcast,
  Visible,
} from '../ast.ts';
import { docCommentLines } from '../scan/doc-comments.ts';
import { clauses, hardBreak, indent, join, parenthesised, type Doc } from './doc.ts';
import { expressionDoc } from './expression.ts';
import { queryDoc } from './query.ts';
import { printName, printType, printWord, quoteName, quoteString } from './words.ts';

/** `CREATE …` of a block, without its `;`. Its doc comments are written only with `withDocs`: they are no part of its definition. */
export function blockDoc(block: BlockStatement, withOrReplace: boolean, withDocs: boolean): Doc {
  const text = definitionDoc(block, withOrReplace, withDocs);
  return withDocs ? [commentDoc(block), text] : text;
}

function definitionDoc(block: BlockStatement, withOrReplace: boolean, withDocs: boolean): Doc {
  const create = block.orReplace && withOrReplace ? 'CREATE OR REPLACE' : 'CREATE';
  const name = printName(block.name);
  switch (block.kind) {
    case 'CreateAggregate':
      return [
        `${create} AGGREGATE ${name}`,
        block.fields.length === 0 ? '' : [' ', fieldsDoc(block.fields, aggregateFieldDoc, withDocs)],
        indent(...rowClauseDocs(block)),
      ];
    case 'CreateCommand':
      return [
        `${create} COMMAND ${name} `,
        fieldsDoc(block.fields, commandFieldDoc, withDocs, block.checks.map(checkDoc)),
        block.allow === undefined ? '' : indent(hardBreak, allowDoc(block.allow)),
      ];
    case 'CreateEvent':
      return [
        `${create} EVENT ${name} `,
        fieldsDoc(block.fields, eventFieldDoc, withDocs),
        indent(...block.upcasts.flatMap((upcast) => [hardBreak, upcastDoc(upcast)])),
      ];
    case 'CreateDecision':
      return decisionDoc(block, `${create} DECISION ${name}`);
    case 'CreateProjection':
      return [`${create} PROJECTION ${name}`, ...projectionHead(block), hardBreak, queryDoc(block.query)];
    case 'CreateEventStore':
      return [`${create} EVENTSTORE ${name} WITH `, listDoc(block.options.map(storeOptionDoc))];
    case 'CreateTemplate':
      return templateDoc(block, `${create} TEMPLATE ${name}`);
    case 'CreateEnum':
      return [`${create} ENUM ${name} AS `, listDoc(block.values.map(({ value }) => quoteString(value)))];
    case 'CreateClaim':
      return [
        `${create} CLAIM ${name} ${printType(block.type)}`,
        block.sensitive ? ' SENSITIVE' : '',
        block.path.length === 0 ? '' : ` FROM ${block.path.map(({ value }) => quoteString(value)).join(', ')}`,
      ];
    case 'CreateFunction':
      return [
        `${create} FUNCTION ${name} `,
        listDoc(block.parameters.map((parameter) => declaration(parameter))),
        ` RETURNS ${printType(block.returns)} AS`,
        indent(hardBreak, expressionDoc(block.body)),
      ];
    case 'CreateSubscription':
      return subscriptionDoc(block, `${create} SUBSCRIPTION ${name}`);
    case 'CreateReaction':
      return reactionDoc(block, `${create} REACTION ${name}`);
  }
}

/** VISIBLE and CLEAR, each with the line break before it. */
function rowClauseDocs({ visible, clear }: RowClauseNodes): readonly Doc[] {
  return [
    ...(visible === undefined ? [] : [hardBreak, visibleDoc(visible)]),
    ...(clear === undefined ? [] : [hardBreak, 'CLEAR WHERE ', expressionDoc(clear)]),
  ];
}

function visibleDoc({ condition }: Visible): Doc {
  return condition === undefined ? 'VISIBLE TO ALL' : ['VISIBLE WHERE ', expressionDoc(condition)];
}

/** The clauses of a projection, and its AS. */
function projectionHead(block: RowClauseNodes): readonly Doc[] {
  const clauses = rowClauseDocs(block);
  return clauses.length === 0 ? [' AS'] : [indent(...clauses), hardBreak, 'AS'];
}

function allowDoc({ condition, message }: Allow): Doc {
  return ['ALLOW WHERE ', expressionDoc(condition), messageDoc(message)];
}

function messageDoc(message: Allow['message']): Doc {
  return message === undefined ? '' : [' MESSAGE ', expressionDoc(message)];
}

/** The fields of a block and what follows them in the list; with doc comments each on a line of its own. */
function fieldsDoc<F extends { readonly doc?: string }>(
  fields: readonly F[],
  print: (field: F) => Doc,
  withDocs: boolean,
  further: readonly Doc[] = [],
): Doc {
  if (!withDocs || fields.every(({ doc }) => doc === undefined)) return listDoc([...fields.map(print), ...further]);
  const items = [...fields.map((field) => [commentDoc(field), print(field)]), ...further];
  return ['(', indent(hardBreak, ...join([',', hardBreak], items)), hardBreak, ')'];
}

/** The lines of a doc comment, each with its line break. */
function commentDoc({ doc }: { readonly doc?: string }): Doc {
  return doc === undefined ? '' : docCommentLines(doc).flatMap((text) => [text, hardBreak]);
}

/** Fields or options: one line each if they do not fit on one. */
function listDoc(docs: readonly Doc[]): Doc {
  return parenthesised(docs, clauses);
}

function declaration(
  { name, type }: Pick<CommandField, 'name' | 'type'>,
  ...modifiers: readonly (Doc | false | undefined)[]
): Doc {
  const given = modifiers.filter((modifier) => modifier !== false && modifier !== undefined);
  return [`${printWord(name.text)} ${printType(type)}`, ...given.map((modifier) => [' ', modifier])];
}

function aggregateFieldDoc(field: AggregateField): Doc {
  const { key, default: value, fold } = field;
  return declaration(
    field,
    key && 'KEY',
    value && ['DEFAULT ', expressionDoc(value)],
    fold && ['AS ', expressionDoc(fold)],
  );
}

export function commandFieldDoc(field: CommandField): Doc {
  const { key, sensitive, nullable, default: value, checks } = field;
  const modifiers = [key && 'KEY', sensitive && 'SENSITIVE', nullable && 'NULL'] as const;
  return declaration(field, ...modifiers, value && ['DEFAULT ', expressionDoc(value)], ...checks.map(checkDoc));
}

function checkDoc({ condition, message }: Check): Doc {
  return ['CHECK ', parenthesised([expressionDoc(condition)]), messageDoc(message)];
}

function eventFieldDoc(field: EventField): Doc {
  const { sensitive, volatile, tag } = field;
  return declaration(field, sensitive && 'SENSITIVE', volatile && 'VOLATILE', tag && 'TAG');
}

function upcastDoc({ event, fields, assignments }: Upcast): Doc {
  const from = event === undefined ? '' : `EVENT ${printName(event)} `;
  const old = fields.map((field) => declaration(field));
  return [`UPCAST FROM ${from}`, listDoc(old), indent(hardBreak, 'AS ', assignmentsDoc(assignments))];
}

function decisionDoc({ aggregate, command, state, branches }: CreateDecision, head: string): Doc {
  return [
    `${head} FOR ${printName(aggregate)} ON COMMAND ${printName(command)}`,
    hardBreak,
    state === undefined ? '' : ['STATE AS', indent(hardBreak, queryDoc(state)), hardBreak],
    'EMIT AS',
    indent(hardBreak, ...join([hardBreak, 'UNION ALL', hardBreak], branches.map(branchDoc))),
  ];
}

function branchDoc({ label, emits, guard }: Branch): Doc {
  return [
    label === undefined ? '' : [`BRANCH ${printName(label)}`, hardBreak],
    ...join([',', hardBreak], emits.map(emitDoc)),
    guard === undefined ? '' : [hardBreak, 'WHERE ', expressionDoc(guard)],
  ];
}

function emitDoc({ event, assignments, to }: Emit): Doc {
  return [
    `SELECT EVENT ${printName(event)} `,
    assignmentsDoc(assignments),
    to === undefined ? '' : [' ', emitTargetDoc(to)],
  ];
}

function emitTargetDoc({ aggregate, stream }: EmitTarget): Doc {
  return [`TO ${printName(aggregate)}`, parenthesised([expressionDoc(stream)])];
}

export function assignmentsDoc(assignments: readonly Assignment[]): Doc {
  return listDoc(assignments.map(assignmentDoc));
}

function assignmentDoc({ field, value }: Assignment): Doc {
  return [`${printWord(field.text)} := `, expressionDoc(value)];
}

function reactionDoc({ from, events, aggregate, state, executions }: CreateReaction, head: string): Doc {
  const start = from === undefined ? '' : ` FROM ${startText(from)}`;
  const of = aggregate === undefined ? '' : ` OF ${printName(aggregate)}`;
  return [
    `${head}${start} ON EVENT ${events.map(printName).join(', ')}${of}`,
    hardBreak,
    state === undefined ? '' : ['STATE AS', indent(hardBreak, queryDoc(state)), hardBreak],
    ...join([hardBreak, 'UNION ALL', hardBreak], executions.map(executionDoc)),
  ];
}

function executionDoc({ label, command, assignments, due, unless, guard }: Execution): Doc {
  return [
    label === undefined ? '' : [`BRANCH ${printName(label)}`, hardBreak],
    `EXECUTE ${printName(command)} `,
    assignmentsDoc(assignments),
    due === undefined ? '' : [hardBreak, dueDoc(due)],
    unless.length === 0 ? '' : [hardBreak, `UNLESS EVENT ${unless.map(printName).join(', ')}`],
    guard === undefined ? '' : [hardBreak, 'WHERE ', expressionDoc(guard)],
  ];
}

/** `AFTER 2 DAYS`. */
export function dueDoc({ form, value, unit }: Due): Doc {
  return [`${form} `, expressionDoc(value), unit === undefined ? '' : ` ${unit}`];
}

function storeOptionDoc({ key, value }: StoreOption): Doc {
  const plain = key.text.split('.').every((word) => printWord(word) === word);
  return [plain ? key.text : quoteName(key.text), ' = ', storeValueDoc(value)];
}

function storeValueDoc(value: StoreValue): Doc {
  switch (value.type) {
    case 'string':
      return quoteString(value.text);
    case 'number':
      return value.text;
    case 'boolean':
      return value.value ? 'TRUE' : 'FALSE';
    case 'tuple':
      return parenthesised(value.items.map(quoteString));
    case 'env':
      return `ENV(${quoteString(value.variable)})`;
  }
}

function subscriptionDoc({ from, query, key, delivery, options }: CreateSubscription, head: string): Doc {
  return [
    `${head}${from === undefined ? '' : ` FROM ${startText(from)}`} AS`,
    hardBreak,
    queryDoc(query),
    key === undefined ? '' : [hardBreak, 'KEY ', expressionDoc(key)],
    delivery === undefined
      ? ''
      : [
          hardBreak,
          'DELIVER TO WEBHOOK ',
          storeValueDoc(delivery.url),
          ...(delivery.secrets.length === 0 ? [] : [' SECRET ', ...join([', '], delivery.secrets.map(storeValueDoc))]),
        ],
    options.length === 0 ? '' : [hardBreak, 'WITH ', listDoc(options.map(storeOptionDoc))],
  ];
}

function startText({ at, text }: StartPoint): string {
  switch (at) {
    case 'start':
      return 'START';
    case 'now':
      return 'NOW';
    case 'position':
      return `POSITION ${text}`;
    case 'timestamp':
      return `TIMESTAMP ${quoteString(text)}`;
  }
}

/** The body as written, with its author's layout and comments. */
function templateDoc({ form, parameters, body }: CreateTemplate, head: string): Doc {
  const text = body.file.text.slice(body.start, body.end).trim();
  const list = listDoc(parameters.map(templateParameterDoc));
  const content = text === '' ? '' : indent(hardBreak, text);
  if (form === 'parentheses') return [`${head} `, list, ' AS (', content, hardBreak, ')'];
  return [`${head} WITH `, list, ' AS', content, hardBreak, 'END TEMPLATE'];
}

function templateParameterDoc({ name, type }: TemplateParameter): Doc {
  return type === undefined ? printWord(name.text) : `${printWord(name.text)} ${printType(type)}`;
}
