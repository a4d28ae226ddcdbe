import type { BlockKind } from '../../../language/contract/block-kind.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { Name } from '../../syntax/ast.ts';
import type { Environment } from '../environment/environment.ts';
import { kindWord } from './name-rules.ts';

/** Reports that there is no block of that kind and name, with the nearest names. */
export function reportUnknownBlock(kind: BlockKind, name: Name, environment: Environment, report: Report): void {
  const known = environment.names(kind);
  const nearest = nearestNames(name.text, known);
  report(diagnose('E0201', name.span, { kind: kindWord(kind), name: name.text, nearest, known }));
}
