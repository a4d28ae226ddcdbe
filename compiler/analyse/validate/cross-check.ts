import { applicationsOf } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { BlockKind } from '../../syntax/ast.ts';
import type { Registry } from '../registry.ts';
import type { Finding } from './finding.ts';
import { validateRegistry } from './validate-registry.ts';

/** The warnings among VALIDATE's findings, each at the name of its block in the text: what `check` tells of files that compile. */
export function crossCheck(registry: Registry): readonly Diagnostic[] {
  return validateRegistry(registry.catalog)
    .filter(({ severity }) => severity === 'warning')
    .flatMap((finding) => placed(registry, finding));
}

function placed(registry: Registry, { block, code, severity, message }: Finding): readonly Diagnostic[] {
  const [kind = '', name = ''] = block.split(' ');
  const span = registry.tree(kind as BlockKind, name)?.name.span; // findings are about blocks of one-word kinds
  return span === undefined ? [] : [{ code, severity, message, span, related: applicationsOf(span) }];
}
