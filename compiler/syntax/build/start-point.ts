import type { StartPoint } from '../ast.ts';
import type { StartPointCst } from '../grammar/cst.ts';
import { first, spanOf, type BuildContext } from './context.ts';
import { numberText, stringValue } from './literal.ts';

/** FROM of a subscription or a reaction. */
export function buildStartPoint(context: BuildContext, cst: StartPointCst): StartPoint {
  const { NOW, position, Number, String } = cst.children;
  const base = { kind: 'StartPoint', span: spanOf(context, cst) } as const;
  if (position !== undefined) return { ...base, at: 'position', text: numberText(first(Number ?? [])) };
  if (String !== undefined) return { ...base, at: 'timestamp', text: stringValue(first(String)) };
  return { ...base, at: NOW === undefined ? 'start' : 'now', text: '' };
}
