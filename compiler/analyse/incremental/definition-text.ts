import { isBlockStatement } from '../../syntax/ast.ts';
import { parseScript } from '../../syntax/parse.ts';
import { canonicalText } from './change/create-entry.ts';

/**
 * The part of a logged definition that is compared with others: the text without its doc comments, which the log keeps in the same text.
 * A text that does not parse is given as it is.
 */
export function definitionText(text: string): string {
  if (!text.includes('--- ')) return text;
  const statement = parseScript({ name: 'definition', text }).statements[0]?.statement;
  return statement !== undefined && isBlockStatement(statement) ? canonicalText(statement) : text;
}
