import { placeOf } from '../../../language/source/source-file.ts';
import type { Span } from '../../../language/source/span.ts';
import type { BlockKind } from '../../../language/contract/block-kind.ts';
import { registeredFileName } from '../incremental/open-registry.ts';
import type { Registry } from '../incremental/registry.ts';
import type { Finding } from './finding.ts';
import { validateRegistry } from './validate-registry.ts';

/** A finding at the name of its block, if the source text is known: it is not for a registry read from a log. */
export interface PlacedFinding extends Finding {
  readonly span?: Span;
  readonly file?: string;
  /** Both from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** The list of VALIDATE REGISTRY (docs/language.md#looking-at-the-registry). */
export function placeFindings(registry: Registry): readonly PlacedFinding[] {
  return validateRegistry(registry.catalog).map((finding) => {
    const span = nameOf(registry, finding);
    return span === undefined ? finding : { ...finding, span, file: span.file.name, ...placeOf(span.file, span.start) };
  });
}

function nameOf(registry: Registry, { block }: Finding): Span | undefined {
  const [word = '', name = ''] = block.split(' '); // findings are about blocks of one-word kinds
  const kind = word as BlockKind;
  const span = registry.tree(kind, name)?.name.span;
  return span?.file.name === registeredFileName({ kind, name }) ? undefined : span;
}
