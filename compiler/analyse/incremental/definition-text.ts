import type { Block } from '../../../language/catalog/block.ts';
import { isBlockStatement } from '../../syntax/ast.ts';
import { parseScript } from '../../syntax/parse.ts';
import { clausesOfBlock } from '../block/row-clauses.ts';
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

/** The part of a definition that decides about its rows, and not about the callers who see them: without VISIBLE and CLEAR. */
export function textWithoutClauses(block: Block): string {
  if (clausesOfBlock(block) === undefined) return block.text;
  const statement = parseScript({ name: 'definition', text: block.text }).statements[0]?.statement;
  if (statement?.kind !== 'CreateAggregate' && statement?.kind !== 'CreateProjection') return block.text;
  const { visible: _visible, clear: _clear, ...rest } = statement;
  return canonicalText(rest);
}
