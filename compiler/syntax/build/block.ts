import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Span } from '../../../language/source/span.ts';
import type {
  BlockStatement,
  Branch,
  CreateDecision,
  CreateEnum,
  CreateEventStore,
  CreateFunction,
  CreateSubscription,
  CreateTemplate,
  Delivery,
  Emit,
  StoreOption,
  StoreValue,
  StringLiteral,
  Upcast,
} from '../ast.ts';
import { describeValue } from '../expand/describe-value.ts';
import type {
  BranchCst,
  CreateCst,
  DecisionCst,
  DeliveryCst,
  EmitCst,
  EnumCst,
  EnumValueCst,
  EventStoreCst,
  FunctionCst,
  SecretValueCst,
  StoreOptionCst,
  StoreValueCst,
  SubscriptionCst,
  TemplateCst,
  UpcastCst,
} from '../grammar/cst.ts';
import type { Token } from '../tokens/token.ts';
import { buildAssignments } from './assignments.ts';
import { buildExpression } from './chain.ts';
import { docAt, first, spanOf, spanOfToken, type BuildContext } from './context.ts';
import { buildAggregateFields, buildCheck, buildCommandFields, buildEventFields, buildOldFields } from './field.ts';
import { numberText, stringValue } from './literal.ts';
import { buildFieldName, buildName, buildNameRule, buildTypeName } from './name.ts';
import { buildQuery } from './query.ts';
import { buildReaction } from './reaction.ts';
import { buildStartPoint } from './start-point.ts';

/** `CREATE [OR REPLACE] …` of a block; `undefined` for a table. */
export function buildBlock(context: BuildContext, cst: CreateCst, span: Span): BlockStatement | undefined {
  const { aggregate, command, event, decision, projection, eventStore, template, REPLACE, ...others } = cst.children;
  const base = { span, orReplace: REPLACE !== undefined, ...docAt(context, span.start) };
  const rule =
    aggregate ??
    command ??
    event ??
    decision ??
    projection ??
    eventStore ??
    template ??
    others.enum ??
    others.function ??
    others.subscription ??
    others.reaction;
  if (rule === undefined) return undefined;
  const name = buildNameRule(context, first(first<(typeof rule)[number]>(rule).children.name));
  const head = { ...base, name };
  if (aggregate !== undefined) {
    const fields = buildAggregateFields(context, first(aggregate).children.aggregateField ?? []);
    return { kind: 'CreateAggregate', ...head, fields };
  }
  if (command !== undefined) {
    const items = first(command).children.commandItem;
    const fields = items.flatMap(({ children }) => children.commandField ?? []);
    const checks = items.flatMap(({ children }) => children.check ?? []);
    return {
      kind: 'CreateCommand',
      ...head,
      fields: buildCommandFields(context, fields),
      checks: checks.map((check) => buildCheck(context, check)),
    };
  }
  if (event !== undefined) {
    const { eventField = [], upcast = [] } = first(event).children;
    const upcasts = upcast.map((item) => buildUpcast(context, item));
    return { kind: 'CreateEvent', ...head, fields: buildEventFields(context, eventField), upcasts };
  }
  if (decision !== undefined) return { kind: 'CreateDecision', ...head, ...decisionParts(context, first(decision)) };
  if (projection !== undefined) {
    return { kind: 'CreateProjection', ...head, query: buildQuery(context, first(first(projection).children.query)) };
  }
  if (eventStore !== undefined) return { kind: 'CreateEventStore', ...head, ...storeParts(context, first(eventStore)) };
  if (others.enum !== undefined) return { kind: 'CreateEnum', ...head, ...enumParts(context, first(others.enum)) };
  if (others.function !== undefined)
    return { kind: 'CreateFunction', ...head, ...functionParts(context, first(others.function)) };
  if (others.subscription !== undefined)
    return { kind: 'CreateSubscription', ...head, ...subscriptionParts(context, first(others.subscription)) };
  if (others.reaction !== undefined)
    return { kind: 'CreateReaction', ...head, ...buildReaction(context, first(others.reaction)) };
  return { kind: 'CreateTemplate', ...head, ...templateParts(context, first(template ?? [])) };
}

function buildUpcast(context: BuildContext, cst: UpcastCst): Upcast {
  const { name, oldField = [], assignments } = cst.children;
  return {
    kind: 'Upcast',
    span: spanOf(context, cst),
    ...(name === undefined ? {} : { event: buildNameRule(context, first(name)) }),
    fields: buildOldFields(context, oldField),
    assignments: buildAssignments(context, first(assignments)),
  };
}

function decisionParts(
  context: BuildContext,
  cst: DecisionCst,
): Pick<CreateDecision, 'aggregate' | 'command' | 'state' | 'branches'> {
  const { aggregate, command, query, branch } = cst.children;
  return {
    aggregate: buildNameRule(context, first(aggregate)),
    command: buildNameRule(context, first(command)),
    ...(query === undefined ? {} : { state: buildQuery(context, first(query)) }),
    branches: branch.map((item) => buildBranch(context, item)),
  };
}

function buildBranch(context: BuildContext, cst: BranchCst): Branch {
  const { name, emit, expression } = cst.children;
  return {
    kind: 'Branch',
    span: spanOf(context, cst),
    ...(name === undefined ? {} : { label: buildNameRule(context, first(name)) }),
    emits: emit.map((item) => buildEmit(context, item)),
    ...(expression === undefined ? {} : { guard: buildExpression(context, first(expression)) }),
  };
}

function buildEmit(context: BuildContext, cst: EmitCst): Emit {
  const { name, assignments, emitTarget } = cst.children;
  const emit: Emit = {
    kind: 'Emit',
    span: spanOf(context, cst),
    event: buildNameRule(context, first(name)),
    assignments: buildAssignments(context, first(assignments)),
  };
  const target = emitTarget?.[0];
  if (target === undefined) return emit;
  const aggregate = buildNameRule(context, first(target.children.name));
  const stream = buildExpression(context, first(target.children.expression));
  return { ...emit, to: { kind: 'EmitTarget', span: spanOf(context, target), aggregate, stream } };
}

function storeParts(context: BuildContext, cst: EventStoreCst): Pick<CreateEventStore, 'options'> {
  return { options: (cst.children.storeOption ?? []).map((option) => buildStoreOption(context, option)) };
}

function buildStoreOption(context: BuildContext, cst: StoreOptionCst): StoreOption {
  const words = cst.children.Word.map((token) => buildName(context, token));
  const place = context.spanAt(first(words).span.start, words.at(-1)?.span.end ?? 0);
  const key = { kind: 'Name', span: place, text: words.map((word) => word.text).join('.'), quoted: false } as const;
  const value = buildStoreValue(context, first(cst.children.storeValue));
  return { kind: 'StoreOption', span: spanOf(context, cst), key, value };
}

function buildStoreValue(context: BuildContext, cst: StoreValueCst): StoreValue {
  const { ENV, item, String, Number, Minus, TRUE, Placeholder } = cst.children;
  if (ENV !== undefined) return { type: 'env', variable: stringValue(first(String ?? [])) };
  if (item !== undefined) return { type: 'tuple', items: item.map(stringValue) };
  if (String !== undefined) return { type: 'string', text: stringValue(first(String)) };
  if (Number !== undefined) {
    return { type: 'number', text: `${Minus === undefined ? '' : '-'}${numberText(first(Number))}` };
  }
  if (Placeholder !== undefined) return filledStoreValue(context, first(Placeholder));
  return { type: 'boolean', value: TRUE !== undefined };
}

function filledStoreValue(context: BuildContext, token: Token): StoreValue {
  const none: StoreValue = { type: 'boolean', value: false };
  if (token.filling === undefined) return none;
  const { value, parameter: name } = token.filling;
  if (value.type !== 'null' && value.type !== 'fields') return value;
  const found = describeValue(value);
  context.report(
    diagnose('E0508', spanOfToken(context, token), { name, expected: 'a string, number or boolean', found }),
  );
  return none;
}

function enumParts(context: BuildContext, cst: EnumCst): Pick<CreateEnum, 'values'> {
  return { values: cst.children.enumValue.flatMap((value) => buildEnumValue(context, value)) };
}

function buildEnumValue(context: BuildContext, cst: EnumValueCst): readonly StringLiteral[] {
  const { String: written, Placeholder } = cst.children;
  const span = spanOf(context, cst);
  if (written !== undefined) return [{ kind: 'StringLiteral', span, value: stringValue(first(written)) }];
  const { filling } = first(Placeholder ?? []);
  if (filling === undefined) return [];
  const { value, parameter: name } = filling;
  if (value.type === 'string' && !filling.assignments) return [{ kind: 'StringLiteral', span, value: value.text }];
  context.report(diagnose('E0508', span, { name, expected: 'a string', found: describeValue(value) }));
  return [];
}

function functionParts(
  context: BuildContext,
  cst: FunctionCst,
): Pick<CreateFunction, 'parameters' | 'returns' | 'body'> {
  const { functionParameter, typeName, expression } = cst.children;
  return {
    parameters: (functionParameter ?? []).map((parameter) => ({
      kind: 'FunctionParameter',
      span: spanOf(context, parameter),
      name: buildFieldName(context, first(parameter.children.fieldName)),
      type: buildTypeName(context, first(parameter.children.typeName)),
    })),
    returns: buildTypeName(context, first(typeName)),
    body: buildExpression(context, first(expression)),
  };
}

function subscriptionParts(
  context: BuildContext,
  cst: SubscriptionCst,
): Pick<CreateSubscription, 'from' | 'query' | 'key' | 'delivery' | 'options'> {
  const { startPoint, query, expression, delivery, storeOption = [] } = cst.children;
  return {
    ...(startPoint === undefined ? {} : { from: buildStartPoint(context, first(startPoint)) }),
    query: buildQuery(context, first(query)),
    ...(expression === undefined ? {} : { key: buildExpression(context, first(expression)) }),
    ...(delivery === undefined ? {} : { delivery: buildDelivery(context, first(delivery)) }),
    options: storeOption.map((option) => buildStoreOption(context, option)),
  };
}

function buildDelivery(context: BuildContext, cst: DeliveryCst): Delivery {
  const { url, secret = [] } = cst.children;
  return {
    kind: 'Delivery',
    span: spanOf(context, cst),
    url: buildSecretValue(context, first(url)),
    secrets: secret.map((value) => buildSecretValue(context, value)),
  };
}

function buildSecretValue(context: BuildContext, cst: SecretValueCst): StoreValue {
  const { ENV, String, Placeholder } = cst.children;
  if (Placeholder !== undefined) return filledStoreValue(context, first(Placeholder));
  const text = stringValue(first(String ?? []));
  return ENV === undefined ? { type: 'string', text } : { type: 'env', variable: text };
}

function templateParts(context: BuildContext, cst: TemplateCst): Pick<CreateTemplate, 'form' | 'parameters' | 'body'> {
  const { open, templateParameter, TemplateBody } = cst.children;
  const range = first(TemplateBody ?? []).body ?? { start: 0, end: 0 };
  return {
    form: open === undefined ? 'with' : 'parentheses',
    parameters: templateParameter.map((parameter) => {
      const { fieldName, typeName } = parameter.children;
      const name = buildFieldName(context, first(fieldName));
      const type = typeName === undefined ? {} : { type: buildTypeName(context, first(typeName)) };
      return { kind: 'TemplateParameter', span: spanOf(context, parameter), name, ...type };
    }),
    body: { file: context.file, ...range },
  };
}
