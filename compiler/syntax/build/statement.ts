/** The concrete tree of one statement to its syntax tree (`ast.ts`). Decides nothing that needs another statement. */
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Span } from '../../../language/source/span.ts';
import type { BlockKind } from '../../../language/contract/block-kind.ts';
import type {
  Advance,
  ApplyTemplate,
  AsOf,
  CandidateSchema,
  DescribedKind,
  Execute,
  Explain,
  Expression,
  InspectDecision,
  InspectProjection,
  InspectReaction,
  Name,
  Query,
  Statement,
  TemplateArgument,
  TemplateValue,
  Values,
} from '../ast.ts';
import type {
  AdvanceCst,
  ApplyCst,
  BlockKindCst,
  CreateCst,
  DescribeCst,
  DropCst,
  ExecuteCst,
  ExplainCst,
  InspectChoiceCst,
  InspectCst,
  InspectOptionCst,
  LiteralCst,
  StatementCst,
  TemplateArgumentCst,
} from '../grammar/cst.ts';
import { buildAsOf, buildWholeQuery } from './as-of.ts';
import { buildAssignments } from './assignments.ts';
import { buildBlock } from './block.ts';
import { buildExpression } from './chain.ts';
import { buildDueUnit } from './reaction.ts';
import { first, spanOf, spanOfToken, type BuildContext } from './context.ts';
import { buildCommandFields } from './field.ts';
import { numberText, stringValue } from './literal.ts';
import { buildFieldName, buildNameList, buildNameRule } from './name.ts';
import { buildRelationName } from './select.ts';

export function buildStatement(context: BuildContext, cst: StatementCst): Statement {
  const { create, drop, apply, execute, inspect, describe, validate, explain, advance, query } = cst.children;
  const span = spanOf(context, cst);
  if (create !== undefined) return buildCreate(context, first(create), span);
  if (query !== undefined) return { kind: 'QueryStatement', span, ...buildWholeQuery(context, first(query)) };
  if (execute !== undefined) return buildExecute(context, first(execute), span);
  if (apply !== undefined) return buildApply(context, first(apply), span);
  if (drop !== undefined) return buildDrop(context, first(drop), span);
  if (inspect !== undefined) return buildInspect(context, first(inspect), span);
  if (describe !== undefined) return buildDescribe(context, first(describe), span);
  if (explain !== undefined) return buildExplain(context, first(explain), span);
  if (validate !== undefined) return { kind: 'Validate', span };
  if (advance !== undefined) return buildAdvance(context, first(advance), span);
  const moment = first(cst.children.export ?? []).children.asOf;
  return { kind: 'Export', span, ...(moment === undefined ? {} : { asOf: buildAsOf(context, first(moment)) }) };
}

function buildCreate(context: BuildContext, cst: CreateCst, span: Span): Statement {
  const block = buildBlock(context, cst, span);
  if (block !== undefined) return block;
  const { name, nameList, query } = first(cst.children.table ?? []).children;
  const { query: source, asOf } = buildWholeQuery(context, first(query));
  return {
    kind: 'CreateTable',
    span,
    name: buildNameRule(context, first(name)),
    ...(nameList === undefined ? {} : { columns: buildNameList(context, first(nameList)) }),
    source: (asOf === undefined ? plainValues(source) : undefined) ?? source,
    ...(asOf === undefined ? {} : { asOf }),
  };
}

/** The VALUES of a query that contains nothing else. */
function plainValues({ body, with: tables, orderBy, limit, offset }: Query): Values | undefined {
  const alone = tables.length === 0 && orderBy.length === 0 && limit === undefined && offset === undefined;
  return alone && body.kind === 'Values' ? body : undefined;
}

function buildDrop(context: BuildContext, cst: DropCst, span: Span): Statement {
  const { blockKind, name } = cst.children;
  const dropped = buildNameRule(context, first(name));
  if (blockKind === undefined) return { kind: 'DropTable', span, name: dropped };
  return { kind: 'DropBlock', span, block: kindOf(first(blockKind)), name: dropped };
}

/** The kind of block of a keyword. */
function kindOf(cst: BlockKindCst): BlockKind {
  return Object.keys(cst.children).join('').toLowerCase() as BlockKind; // the rule reads exactly one keyword of a kind
}

function buildExecute(context: BuildContext, cst: ExecuteCst, span: Span): Execute {
  const { name, assignments, executeOption } = cst.children;
  return {
    kind: 'Execute',
    span,
    command: buildNameRule(context, first(name)),
    arguments: buildAssignments(context, first(assignments)),
    options: (executeOption ?? []).map((option) => ({
      kind: 'ExecuteOption',
      span: spanOf(context, option),
      name: buildFieldName(context, first(option.children.fieldName)),
      value: buildExpression(context, first(option.children.expression)),
    })),
  };
}

function buildAdvance(context: BuildContext, cst: AdvanceCst, span: Span): Advance {
  const { Number: amount, dueUnit, String: time } = cst.children;
  if (dueUnit !== undefined)
    return {
      kind: 'Advance',
      span,
      by: { amount: numberText(first(amount ?? [])), unit: buildDueUnit(first(dueUnit)) },
    };
  const token = first(time ?? []);
  return {
    kind: 'Advance',
    span,
    to: { kind: 'StringLiteral', span: spanOfToken(context, token), value: stringValue(token) },
  };
}

function buildApply(context: BuildContext, cst: ApplyCst, span: Span): ApplyTemplate {
  const { name, templateArgument } = cst.children;
  return {
    kind: 'ApplyTemplate',
    span,
    template: buildNameRule(context, first(name)),
    arguments: (templateArgument ?? []).map((argument) => buildArgument(context, argument)),
  };
}

function buildArgument(context: BuildContext, cst: TemplateArgumentCst): TemplateArgument {
  const { fieldName, literal, fieldList } = cst.children;
  const name = buildFieldName(context, first(fieldName));
  const value: TemplateValue =
    literal === undefined
      ? { type: 'fields', fields: buildCommandFields(context, first(fieldList ?? []).children.commandField ?? []) }
      : buildTemplateValue(context, first(literal));
  return { kind: 'TemplateArgument', span: spanOf(context, cst), name, value };
}

function buildTemplateValue(context: BuildContext, cst: LiteralCst): TemplateValue {
  const { Minus, Number, String, TRUE, FALSE, NULL, typedLiteral, Placeholder } = cst.children;
  if (Number !== undefined)
    return { type: 'number', text: `${Minus === undefined ? '' : '-'}${numberText(first(Number))}` };
  if (String !== undefined) return { type: 'string', text: stringValue(first(String)) };
  if (TRUE !== undefined || FALSE !== undefined) return { type: 'boolean', value: TRUE !== undefined };
  if (typedLiteral !== undefined)
    return { type: 'string', text: stringValue(first(first(typedLiteral).children.String)) };
  if (NULL !== undefined) return { type: 'null' };
  return passedOn(context, Placeholder ?? []);
}

/** A parameter of an outer template passed unchanged to an inner one; a wildcard while the values are not known. */
function passedOn(
  context: BuildContext,
  placeholders: NonNullable<LiteralCst['children']['Placeholder']>,
): TemplateValue {
  const { filling } = first(placeholders);
  if (filling === undefined) return { type: 'null' };
  if (!filling.assignments) return filling.value;
  const span = spanOfToken(context, first(placeholders));
  const found = 'a list of assignments';
  context.report(
    diagnose('E0508', span, { name: filling.parameter, expected: 'a literal or a list of fields', found }),
  );
  return { type: 'null' };
}

function buildInspect(
  context: BuildContext,
  cst: InspectCst,
  span: Span,
): InspectDecision | InspectProjection | InspectReaction {
  const { inspectDecision, inspectProjection, inspectReaction } = cst.children;
  const rule = inspectDecision ?? inspectProjection ?? inspectReaction ?? [];
  const { name, source, target, inspectChoice = [], inspectOption } = first<(typeof rule)[number]>(rule).children;
  const options = inspectOptions(context, inspectOption ?? []);
  const block = buildNameRule(context, first(name));
  const relations = {
    source: buildRelationName(context, first(source)),
    target: buildRelationName(context, first(target)),
  };
  const choices = {
    ...choice(context, 'where', 'WHERE', inspectChoice),
    ...choice(context, 'limit', 'LIMIT', inspectChoice),
  };
  if (inspectReaction !== undefined)
    return { kind: 'InspectReaction', span, reaction: block, ...relations, ...choices, ...options };
  if (inspectProjection === undefined)
    return { kind: 'InspectDecision', span, decision: block, ...relations, ...choices, ...options };
  const [offset, extra] = first(inspectProjection).children.inspectClause ?? [];
  if (extra !== undefined) reportTwice(context, 'OFFSET', spanOfToken(context, first(extra.children.OFFSET)));
  return {
    kind: 'InspectProjection',
    span,
    projection: block,
    ...relations,
    ...(offset === undefined ? {} : { offset: buildExpression(context, first(offset.children.expression)) }),
    ...choices,
    ...options,
  };
}

function reportTwice(context: BuildContext, what: string, span: Span): void {
  context.report(diagnose('E0114', span, { what }));
}

/** AS OF, USING EVENTSTORE and WITH SCHEMA, in any order, each once. */
function inspectOptions(
  context: BuildContext,
  options: readonly InspectOptionCst[],
): { readonly asOf?: AsOf; readonly store?: Name; readonly schema?: CandidateSchema } {
  const moments = options.filter(({ children: { asOf } }) => asOf !== undefined);
  const stores = options.filter(({ children: { name } }) => name !== undefined);
  const schemas = options.filter(({ children: { schema } }) => schema !== undefined);
  for (const [what, [, extra]] of [
    ['AS OF', moments],
    ['USING EVENTSTORE', stores],
    ['WITH SCHEMA', schemas],
  ] as const)
    if (extra !== undefined) reportTwice(context, what, spanOf(context, extra));
  const asOf = moments[0]?.children.asOf;
  const store = stores[0]?.children.name;
  const [schema] = schemas;
  return {
    ...(asOf === undefined ? {} : { asOf: buildAsOf(context, first(asOf)) }),
    ...(store === undefined ? {} : { store: buildNameRule(context, first(store)) }),
    ...(schema === undefined ? {} : { schema: buildCandidate(context, schema) }),
  };
}

function buildCandidate(
  context: BuildContext,
  { children: { file, String: written } }: InspectOptionCst,
): CandidateSchema {
  const token = first(written ?? []);
  const from = file === undefined ? 'text' : 'file';
  return { kind: 'CandidateSchema', span: spanOfToken(context, token), from, value: stringValue(token) };
}

/** WHERE or LIMIT of an inspection under its key, which may be given once. */
function choice<K extends 'where' | 'limit'>(
  context: BuildContext,
  key: K,
  word: 'WHERE' | 'LIMIT',
  choices: readonly InspectChoiceCst[],
): { readonly [P in K]?: Expression } {
  const found = choices.filter((item) => item.children[word] !== undefined);
  const extra = found[1]?.children[word];
  if (extra !== undefined) reportTwice(context, word, spanOfToken(context, first(extra)));
  const value = found[0] && buildExpression(context, first(found[0].children.expression));
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: Expression }; // one key of the given name
}

function buildDescribe(context: BuildContext, cst: DescribeCst, span: Span): Statement {
  const { blockKind, name, describedKinds } = cst.children;
  if (describedKinds !== undefined) {
    const plural = Object.keys(first(describedKinds).children).join('').toLowerCase();
    return { kind: 'DescribeAll', span, what: plural.slice(0, -1) as DescribedKind }; // each plural is its kind with an S
  }
  const { INSPECTION } = cst.children;
  const what = INSPECTION !== undefined ? 'inspection' : blockKind === undefined ? undefined : kindOf(first(blockKind));
  return {
    kind: 'Describe',
    span,
    ...(what === undefined ? {} : { what }),
    name: buildNameRule(context, first(name ?? [])),
  };
}

function buildExplain(context: BuildContext, cst: ExplainCst, span: Span): Explain {
  const { DECISION, REACTION, name, query } = cst.children;
  if (query !== undefined)
    return { kind: 'Explain', span, target: { type: 'query', ...buildWholeQuery(context, first(query)) } };
  const type = DECISION !== undefined ? 'decision' : REACTION !== undefined ? 'reaction' : 'projection';
  return { kind: 'Explain', span, target: { type, name: buildNameRule(context, first(name ?? [])) } };
}
