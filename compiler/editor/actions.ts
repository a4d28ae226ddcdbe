/**
 * Texts that an editor offers to write at a place: blocks and fields that an error misses, the blocks without which a block is not used, a
 * test. Takes the text, the findings in the range and the known blocks; gives edits. Nothing is offered for a text that a template makes.
 */
import type { Catalog } from '../../language/catalog/catalog.ts';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Symbols } from '../symbols.ts';
import { blocksToUse } from './actions/blocks-to-use.ts';
import { missingBlocks } from './actions/missing-block.ts';
import { missingFields, unassignedFields } from './actions/missing-field.ts';
import type { Action } from './actions/action.ts';
import { parsedText } from './parsed-text.ts';

export type { Action } from './actions/action.ts';
export { testOf } from './actions/decision-test.ts';
export { extractFunction } from './actions/extract-function.ts';
export { keptRename } from './actions/kept-rename.ts';

export interface ActionRange {
  readonly file: SourceFile;
  readonly from: number;
  readonly to: number;
}

export function actionsIn(
  { file, from, to }: ActionRange,
  found: readonly Diagnostic[],
  catalog: Catalog,
  symbols: Symbols,
): readonly Action[] {
  const touched = parsedText(file).statements.filter(({ span }) => span.start <= to && span.end >= from);
  return touched.flatMap(({ statement }): readonly Action[] => {
    if (statement === undefined) return [];
    const own = found.filter(({ span }) => span.applied === undefined && isWithin(span, statement.span));
    return [
      ...(statement.kind === 'CreateDecision' ? missingBlocks(statement, own, catalog) : []),
      ...missingFields(statement, own, catalog, symbols),
      ...blocksToUse(statement, own, catalog),
      ...unassignedFields(statement, from, to, catalog),
    ];
  });
}

function isWithin(span: Diagnostic['span'], around: Diagnostic['span']): boolean {
  return span.file.name === around.file.name && span.start >= around.start && span.end <= around.end;
}
