import type { BindScope } from '../../compiler/index.ts';
import type { SessionContext } from './context.ts';

/** What a session's statements see besides the registry. A local session never holds `sensitive:read` (language.md section 12). */
export function bindScope(context: SessionContext): BindScope {
  return { tables: context.tables.all(), cleared: false, lenientPayload: context.lenientPayload };
}
