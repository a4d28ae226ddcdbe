import { placeOf } from '../../../language/source/source-file.ts';
import { atOnce, type Steps } from '../../../language/source/steps.ts';
import type { Span } from '../../../language/source/span.ts';
import type { BlockKind } from '../../../language/contract/block-kind.ts';
import { findAll } from '../../syntax/walk.ts';
import { registeredFileName } from '../incremental/open-registry.ts';
import type { Registry } from '../environment/registry.ts';
import type { Finding } from './finding.ts';
import { validateInSteps } from './validate-registry.ts';

/** A finding at the literal that it is about, else at the name of its block, if the source text is known: it is not for a registry read from a log. */
export interface PlacedFinding extends Finding {
  readonly span?: Span;
  readonly file?: string;
  /** Both from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** The list of VALIDATE REGISTRY (docs/language.md#looking-at-the-registry). */
export function placeFindings(registry: Registry): readonly PlacedFinding[] {
  return atOnce(placeInSteps(registry));
}

/** `placeFindings` in steps of one rule. */
export function* placeInSteps(registry: Registry): Steps<readonly PlacedFinding[]> {
  return (yield* validateInSteps(registry.catalog)).map((finding) => {
    const span = spanOf(registry, finding);
    return span === undefined ? finding : { ...finding, span, file: span.file.name, ...placeOf(span.file, span.start) };
  });
}

function spanOf(registry: Registry, { block, literal }: Finding): Span | undefined {
  const [word = '', name = ''] = block.split(' '); // findings are about blocks of one-word kinds
  const kind = word as BlockKind;
  const tree = registry.tree(kind, name);
  if (tree === undefined || tree.name.span.file.name === registeredFileName({ kind, name })) return undefined;
  const named =
    literal === undefined ? undefined : findAll(tree, 'StringLiteral').find(({ value }) => value === literal);
  return (named ?? tree.name).span;
}
