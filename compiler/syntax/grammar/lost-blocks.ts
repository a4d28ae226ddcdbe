import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import { blockKinds, type BlockKind } from '../../../language/contract/block-kind.ts';
import type { Token } from '../tokens/token.ts';
import { isWord } from '../tokens/token-text.ts';
import { Name } from '../tokens/vocabulary.ts';
import { startsBlock } from './statement-head.ts';

/**
 * The blocks that text with errors would have created. A reference to them is not an error: the cause is reported at that text
 * (docs/language.md#scripts).
 */
export interface LostBlocks {
  readonly named: readonly { readonly kind: BlockKind; readonly name: string }[];
  /** Whether there may be others with unknown names. */
  readonly others: boolean;
  /** Whether some of the text is a statement other than the CREATE of a block, including a misspelt one. */
  readonly foreign: boolean;
}

/** The blocks that tokens which are not a valid statement would create: more than one if a `;` was forgotten, the nearest kind if it is misspelt. */
export function lostBlocks(tokens: readonly Token[]): LostBlocks {
  const named = tokens.flatMap((token, index) => {
    if (!isWord(token) || (index > 0 && token.image.toUpperCase() !== 'CREATE')) return [];
    const replaces = tokens[index + 1]?.image.toUpperCase() === 'OR';
    const [kind, name] = tokens.slice(index + (replaces ? 3 : 1), index + (replaces ? 5 : 3));
    const [nearest] = kind === undefined || !isWord(kind) ? [] : nearestNames(kind.image, blockKinds);
    const found = blockKinds.find((each) => each === nearest);
    if (found === undefined || name?.tokenType.CATEGORIES?.includes(Name) !== true) return [];
    return [{ kind: found, name: name.text ?? name.image }];
  });
  const others = tokens.some((token) => token.image.toUpperCase() === 'APPLY');
  return { named, others, foreign: !startsBlock(tokens) };
}

export function allLost(parts: readonly LostBlocks[]): LostBlocks {
  return {
    named: parts.flatMap(({ named }) => named),
    others: parts.some(({ others }) => others),
    foreign: parts.some(({ foreign }) => foreign),
  };
}
