/**
 * Syntax trees to text, in the one canonical form (docs/language.md#blocks): keywords in capitals, types under their own names,
 * names in quotes only where they must be, as few parentheses as precedence allows. Reading the text gives the tree again, and
 * printing that the same text. Takes nodes; never looks at spans or at the text they came from, but for a template's body.
 */
import type { Expression, Query, Statement, TemplateArgument, TemplateValue, TypeName } from './ast.ts';
import { render } from './print/doc.ts';
import { expressionDoc } from './print/expression.ts';
import { queryDoc } from './print/query.ts';
import { statementDoc, templateArgumentDoc, templateValueDoc } from './print/statement.ts';
import { printType as typeText } from './print/words.ts';

/** The width that statements are laid out for. */
export const printWidth = 100;

/** A statement with its `;`, laid out in lines. `orReplace: 'omit'` gives the canonical definition of a block. */
export function printStatement(statement: Statement, options: { readonly orReplace?: 'keep' | 'omit' } = {}): string {
  const doc = statementDoc(statement, options.orReplace !== 'omit');
  return render([doc, ';'], { width: printWidth });
}

/** A query without `;`, on one line or laid out in lines. */
export function printQuery(query: Query, layout: 'line' | 'block' = 'line'): string {
  return render(queryDoc(query), { width: layout === 'line' ? Infinity : printWidth });
}

/** An expression on one line; a guard prints so. */
export function printExpression(expression: Expression): string {
  return render(expressionDoc(expression), { width: Infinity });
}

/** A type under its canonical name: `STRING`, `DECIMAL(10,2)`. */
export function printType(type: Pick<TypeName, 'name' | 'arguments'>): string {
  return typeText(type);
}

/** `Entity = 'Parcel', Fields = (sender STRING, weight INT)`: what an instance of a template was given. */
export function printTemplateArguments(given: readonly TemplateArgument[]): string {
  return given.map((argument) => render(templateArgumentDoc(argument), { width: Infinity })).join(', ');
}

/** A value given to a template, on one line. */
export function printTemplateValue(value: TemplateValue): string {
  return render(templateValueDoc(value), { width: Infinity });
}
