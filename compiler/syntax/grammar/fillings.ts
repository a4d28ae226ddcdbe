/** Nodes for the values of placeholders, by the place where the grammar reads one. A value that does not fit there is an error. */
import { safeName } from '../../../language/contract/safe-name.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Span } from '../../../language/source/span.ts';
import type {
  AggregateField,
  Assignment,
  CommandField,
  EventField,
  Expression,
  Name,
  StoreValue,
  StringLiteral,
  TemplateValue,
  TypeName,
} from '../ast.ts';
import { describeValue } from '../expand/describe-value.ts';
import type { Filling, Token } from '../tokens/token.ts';

type Filled = Pick<Token, 'filling'>;

function unfit({ parameter: name, value }: Filling, expected: string, span: Span, report: Report): void {
  report(diagnose('E0508', span, { name, expected, found: describeValue(value) }));
}

const assignmentList = 'a list of assignments';

/** A name; undefined for a token that is no placeholder, or has no text as its value. */
export function fillingName({ filling }: Filled, span: Span, report: Report): string | undefined {
  if (filling === undefined) return undefined;
  const { value, parameter: name } = filling;
  if (value.type !== 'string' || filling.assignments) unfit(filling, 'a name', span, report);
  else if (!safeName.test(value.text)) report(diagnose('E0507', span, { name, value: value.text }));
  return 'text' in value ? value.text : undefined;
}

/** A number of a type. */
export function fillingNumber({ filling }: Filled, span: Span, report: Report): number {
  if (filling === undefined) return 0;
  if (filling.value.type === 'number') return Number(filling.value.text);
  unfit(filling, 'a number', span, report);
  return 0;
}

/** The parameter's value, which must be one literal. */
export function fillingLiteral({ filling }: Filled, span: Span, report: Report): Expression {
  if (filling === undefined) return { kind: 'NullLiteral', span };
  const literal = filling.assignments ? undefined : valueLiteral(filling.value, span);
  if (literal !== undefined) return literal;
  const found = filling.assignments ? assignmentList : describeValue(filling.value);
  report(diagnose('E0508', span, { name: filling.parameter, expected: 'one literal', found }));
  return { kind: 'NullLiteral', span };
}

function valueLiteral(value: TemplateValue, span: Span): Expression | undefined {
  switch (value.type) {
    case 'string':
      return { kind: 'StringLiteral', span, value: value.text };
    case 'number': {
      if (!value.text.startsWith('-')) return { kind: 'NumberLiteral', span, text: value.text };
      const operand: Expression = { kind: 'NumberLiteral', span, text: value.text.slice(1) };
      return { kind: 'Unary', span, operator: '-', operand };
    }
    case 'boolean':
      return { kind: 'BooleanLiteral', span, value: value.value };
    case 'null':
      return { kind: 'NullLiteral', span };
    case 'fields':
      return undefined;
  }
}

/** The fields of a list, at the placeholder's place. */
export function fillingFields({ filling }: Filled, span: Span, report: Report): readonly CommandField[] {
  if (filling === undefined) return [];
  const { parameter: name, value } = filling;
  if (value.type === 'fields' && !filling.assignments) return value.fields.map((field) => placedAt(field, span));
  const found = filling.assignments ? assignmentList : describeValue(value);
  report(diagnose('E0508', span, { name, expected: 'a list of fields', found }));
  return [];
}

/** An EVENT's fields have no KEY, NULL, DEFAULT and CHECK. */
export function asEventField({ span, name, type, sensitive, doc }: CommandField): EventField {
  const given = { kind: 'EventField', span, name, type, sensitive, volatile: false, tag: false } as const;
  return doc === undefined ? given : { ...given, doc };
}

/** SENSITIVE, NULL and CHECK have no meaning in an AGGREGATE. */
export function asAggregateField({ span, name, type, key, default: value, doc }: CommandField): AggregateField {
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

/** `f := :f` for each field of a list. */
export function fillingAssignments({ filling }: Filled, place: Span, report: Report): readonly Assignment[] {
  if (filling === undefined) return [];
  if (filling.value.type === 'fields' && filling.assignments) {
    return filling.value.fields.map((given) => {
      const { span, name } = placedAt(given, place);
      return { kind: 'Assignment', span, field: name, value: { kind: 'BindParameter', span: name.span, name } };
    });
  }
  unfit(filling, assignmentList, place, report);
  return [];
}

/** The value of an option. */
export function fillingStoreValue({ filling }: Filled, span: Span, report: Report): StoreValue {
  const none: StoreValue = { type: 'boolean', value: false };
  if (filling === undefined) return none;
  if (filling.value.type !== 'null' && filling.value.type !== 'fields') return filling.value;
  unfit(filling, 'a string, number or boolean', span, report);
  return none;
}

/** The parameter's value as a value of an enum: a string, or none. */
export function fillingString({ filling }: Filled, span: Span, report: Report): readonly StringLiteral[] {
  if (filling === undefined) return [];
  const { value } = filling;
  if (value.type === 'string' && !filling.assignments) return [{ kind: 'StringLiteral', span, value: value.text }];
  unfit(filling, 'a string', span, report);
  return [];
}

/** A parameter of an outer template passed unchanged to an inner one; a wildcard while the values are not known. */
export function fillingValue({ filling }: Filled, span: Span, report: Report): TemplateValue {
  if (filling === undefined) return { type: 'null' };
  if (!filling.assignments) return filling.value;
  const expected = 'a literal or a list of fields';
  report(diagnose('E0508', span, { name: filling.parameter, expected, found: assignmentList }));
  return { type: 'null' };
}

/** The value of an argument's literal; a sign is only before a number. */
export function literalValue(literal: Expression): TemplateValue {
  switch (literal.kind) {
    case 'Unary': {
      const value = literalValue(literal.operand);
      return value.type === 'number' && literal.operator === '-' ? { ...value, text: `-${value.text}` } : value;
    }
    case 'NumberLiteral':
      return { type: 'number', text: literal.text };
    case 'StringLiteral':
    case 'TypedLiteral':
      return { type: 'string', text: literal.value };
    case 'BooleanLiteral':
      return { type: 'boolean', value: literal.value };
    default:
      return { type: 'null' };
  }
}

/**
 * A declaration given to a template, with its parameter's place: errors in it show the place in the template, and the declaration itself as
 * the applied text.
 */
function placedAt(field: CommandField, span: Span): CommandField {
  const at = <N extends Name | TypeName | Expression>(node: N): N => ({
    ...node,
    span: { ...span, applied: node.span },
  });
  return {
    ...field,
    span: { ...span, applied: field.span },
    name: at(field.name),
    type: at(field.type),
    ...(field.default === undefined ? {} : { default: placeLiteral(field.default) }),
  };

  /** A default is a literal, or a sign before one. */
  function placeLiteral(node: Expression): Expression {
    return node.kind === 'Unary' ? { ...at(node), operand: at(node.operand) } : at(node);
  }
}
