/**
 * Syntax trees to text, in the one canonical form (docs/language.md#text): keywords in capitals, types under their own names, names in
 * quotes only where necessary, as few parentheses as precedence allows. Parsing the text gives the tree again, and printing that gives the
 * same text. Takes nodes; never uses spans or the original text, except for a template's body.
 */
import type { Due, Expression, Query, Statement, TemplateArgument, TemplateValue, TypeName } from './ast.ts';
import { dueDoc } from './print/block.ts';
import { render } from './print/doc.ts';
import { expressionDoc } from './print/expression.ts';
import { queryDoc } from './print/query.ts';
import { statementDoc, templateArgumentDoc, templateValueDoc } from './print/statement.ts';
import { printType as typeText } from './print/words.ts';

/** The width of laid out statements. */
export const printWidth = 100;

/**
 * A statement with its `;`, laid out in lines. `orReplace: 'omit'` gives the canonical definition of a block; `docs: 'keep'` adds its doc
 * comments.
 */
export function printStatement(
  statement: Statement,
  options: { readonly orReplace?: 'keep' | 'omit'; readonly docs?: 'keep' | 'omit' } = {},
): string {
  const doc = statementDoc(statement, options.orReplace !== 'omit', options.docs === 'keep');
  return render([doc, ';'], { width: printWidth });
}

/** A query without `;`, on one line or laid out in lines. */
export function printQuery(query: Query, layout: 'line' | 'block' = 'line'): string {
  return render(queryDoc(query), { width: layout === 'line' ? Infinity : printWidth });
}

/** An expression on one line, the form of a guard. */
export function printExpression(expression: Expression): string {
  return render(expressionDoc(expression), { width: Infinity });
}

/** AFTER or AT of a reaction, on one line. */
export function printDue(due: Due): string {
  return render(dueDoc(due), { width: Infinity });
}

/** A type under its canonical name: `STRING`, `DECIMAL(10,2)`. */
export function printType(type: Pick<TypeName, 'name' | 'arguments'>): string {
  return typeText(type);
}

/** `Entity = 'Parcel', Fields = (sender STRING, weight INT)`: the arguments of a template instance. */
export function printTemplateArguments(given: readonly TemplateArgument[]): string {
  return given.map((argument) => render(templateArgumentDoc(argument), { width: Infinity })).join(', ');
}

/** A template argument, on one line. */
export function printTemplateValue(value: TemplateValue): string {
  return render(templateValueDoc(value), { width: Infinity });
}
