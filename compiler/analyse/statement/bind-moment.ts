import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { AsOf, Cast } from '../../syntax/ast.ts';
import { isFaulty } from '../typed/typed.ts';
import type { BindScope, Bound, Registry } from '../environment/registry.ts';
import { bindConstant } from './bind-constant.ts';
import { callerBinding } from './bind-query.ts';
import { boundWith } from './bound.ts';

/** A moment of the past: a position, or a time that is still to be computed. */
export type BoundMoment = { readonly position: number } | { readonly time: TypedExpression };

/** AS OF POSITION and AS OF TIMESTAMP with a constant expression (docs/language.md#the-past). EACH is for INSPECT alone. */
export function bindMoment(registry: Registry, asOf: AsOf, scope: BindScope): Bound<BoundMoment> {
  return boundWith((report) => {
    const { span, unit, position, time } = asOf;
    if (unit === 'position') return { position: position ?? 0 };
    if (time === undefined) {
      report(diagnose('E0913', span, {}));
      return undefined;
    }
    const type = { kind: 'TypeName', span: time.span, name: 'TIMESTAMP', arguments: [] } as const;
    const cast: Cast = { kind: 'Cast', span: time.span, form: 'CAST', operand: time, type };
    const bound = bindConstant(cast, 'AS OF TIMESTAMP', callerBinding(registry, scope, report));
    return isFaulty(bound) ? undefined : { time: bound };
  });
}
