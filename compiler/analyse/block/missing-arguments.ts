import type { CommandBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Span } from '../../../language/source/span.ts';
import { typeName } from '../../../language/values/type.ts';

/**
 * Reports each required field of a command that is not given: in EXECUTE, by a reaction, or as a column of an inspection's source. A reaction
 * gives those with a DEFAULT of the caller too, since it is no caller whose part this could be.
 */
export function reportMissing(
  { name: command, fields }: CommandBlock,
  given: ReadonlySet<string>,
  span: Span,
  report: Report,
  from: 'caller' | 'reaction' = 'caller',
): boolean {
  const isNeeded = ({ required, callerDefault }: CommandBlock['fields'][number]): boolean =>
    required || (from === 'reaction' && callerDefault !== undefined);
  const missing = fields.filter((field) => isNeeded(field) && !given.has(field.name));
  for (const { name, type } of missing) report(diagnose('E0902', span, { command, name, type: typeName(type) }));
  return missing.length > 0;
}
