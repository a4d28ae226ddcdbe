import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { AggregateField, Check, CommandField, EventField, OldField } from '../ast.ts';
import { describeValue } from '../expand/describe-value.ts';
import { placedAt } from '../expand/placed-at.ts';
import type { AggregateFieldCst, CheckCst, CommandFieldCst, EventFieldCst, OldFieldCst } from '../grammar/cst.ts';
import type { Token } from '../tokens/token.ts';
import { buildExpression } from './chain.ts';
import { docAt, first, spanOf, spanOfToken, type BuildContext } from './context.ts';
import { buildLiteral, buildString } from './literal.ts';
import { buildFieldName, buildTypeName } from './name.ts';

/** The declarations of fields; a placeholder may represent several. */
export function buildAggregateFields(
  context: BuildContext,
  list: readonly AggregateFieldCst[],
): readonly AggregateField[] {
  return list.flatMap((cst) => {
    const { Placeholder, KEY, DEFAULT, AS, literal, expression } = cst.children;
    if (Placeholder !== undefined) return spliced(context, first(Placeholder)).map(asAggregateField);
    once(context, 'KEY', KEY);
    once(context, 'DEFAULT', DEFAULT);
    once(context, 'AS', AS);
    return {
      kind: 'AggregateField',
      ...declared(context, cst),
      key: KEY !== undefined,
      ...(literal === undefined ? {} : { default: buildLiteral(context, first(literal)) }),
      ...(expression === undefined ? {} : { fold: buildExpression(context, first(expression)) }),
    };
  });
}

export function buildCommandFields(context: BuildContext, list: readonly CommandFieldCst[]): readonly CommandField[] {
  return list.flatMap((cst) => {
    const { Placeholder, KEY, SENSITIVE, NULL, DEFAULT, literal, check } = cst.children;
    if (Placeholder !== undefined) return spliced(context, first(Placeholder));
    once(context, 'KEY', KEY);
    once(context, 'SENSITIVE', SENSITIVE);
    once(context, 'NULL', NULL);
    once(context, 'DEFAULT', DEFAULT);
    return {
      kind: 'CommandField',
      ...declared(context, cst),
      key: KEY !== undefined,
      sensitive: SENSITIVE !== undefined,
      nullable: NULL !== undefined,
      ...(literal === undefined ? {} : { default: buildLiteral(context, first(literal)) }),
      checks: (check ?? []).map((one) => buildCheck(context, one)),
    };
  });
}

export function buildCheck(context: BuildContext, cst: CheckCst): Check {
  const { expression, String: message } = cst.children;
  return {
    kind: 'Check',
    span: spanOf(context, cst),
    condition: buildExpression(context, first(expression)),
    ...(message === undefined ? {} : { message: buildString(context, first(message)) }),
  };
}

export function buildEventFields(context: BuildContext, list: readonly EventFieldCst[]): readonly EventField[] {
  return list.flatMap((cst) => {
    const { Placeholder, SENSITIVE, VOLATILE, TAG } = cst.children;
    if (Placeholder !== undefined) return spliced(context, first(Placeholder)).map(asEventField);
    once(context, 'SENSITIVE', SENSITIVE);
    once(context, 'VOLATILE', VOLATILE);
    once(context, 'TAG', TAG);
    return {
      kind: 'EventField',
      ...declared(context, cst),
      sensitive: SENSITIVE !== undefined,
      volatile: VOLATILE !== undefined,
      tag: TAG !== undefined,
    };
  });
}

/** The fields of a stored definition, whose marks do not matter. */
export function buildOldFields(context: BuildContext, list: readonly OldFieldCst[]): readonly OldField[] {
  return list.flatMap((cst) => {
    const { Placeholder } = cst.children;
    if (Placeholder === undefined) {
      const { span, name, type } = declared(context, cst);
      return { kind: 'OldField', span, name, type };
    }
    return spliced(context, first(Placeholder)).map(({ span, name, type }) => ({ kind: 'OldField', span, name, type }));
  });
}

function declared(
  context: BuildContext,
  cst: AggregateFieldCst | CommandFieldCst | EventFieldCst | OldFieldCst,
): Pick<CommandField, 'span' | 'name' | 'type' | 'doc'> {
  return {
    span: spanOf(context, cst),
    name: buildFieldName(context, first(cst.children.fieldName ?? [])),
    type: buildTypeName(context, first(cst.children.typeName ?? [])),
    ...docAt(context, cst.location.startOffset),
  };
}

function once(context: BuildContext, what: string, tokens: readonly Token[] | undefined): void {
  const extra = tokens?.[1];
  if (extra !== undefined) context.report(diagnose('E0114', spanOfToken(context, extra), { what }));
}

/** The fields of a placeholder, at the placeholder's place. */
function spliced(context: BuildContext, token: Token): readonly CommandField[] {
  const { filling } = token;
  if (filling === undefined) return [];
  const span = spanOfToken(context, token);
  const { parameter: name, value } = filling;
  if (value.type === 'fields' && !filling.assignments) return value.fields.map((field) => placedAt(field, span));
  const found = filling.assignments ? 'a list of assignments' : describeValue(value);
  context.report(diagnose('E0508', span, { name, expected: 'a list of fields', found }));
  return [];
}

/** An EVENT's fields have no KEY, NULL, DEFAULT and CHECK. */
function asEventField({ span, name, type, sensitive, doc }: CommandField): EventField {
  const given = { kind: 'EventField', span, name, type, sensitive, volatile: false, tag: false } as const;
  return doc === undefined ? given : { ...given, doc };
}

/** SENSITIVE, NULL and CHECK have no meaning in an AGGREGATE. */
function asAggregateField({ span, name, type, key, default: value, doc }: CommandField): AggregateField {
  return {
    kind: 'AggregateField',
    span,
    name,
    type,
    key,
    ...(value === undefined ? {} : { default: value }),
    ...(doc === undefined ? {} : { doc }),
  };
}
