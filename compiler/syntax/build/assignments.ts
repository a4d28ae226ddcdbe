import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Assignment } from '../ast.ts';
import { describeValue } from '../expand/describe-value.ts';
import { placedAt } from '../expand/placed-at.ts';
import type { AssignmentCst, AssignmentsCst } from '../grammar/cst.ts';
import type { Token } from '../tokens/token.ts';
import { buildExpression } from './chain.ts';
import { first, spanOf, spanOfToken, type BuildContext } from './context.ts';
import { buildFieldName } from './name.ts';

/** `( field := expression, … )`; a placeholder may represent several. */
export function buildAssignments(context: BuildContext, cst: AssignmentsCst): readonly Assignment[] {
  return (cst.children.assignment ?? []).flatMap((item) => buildAssignment(context, item));
}

function buildAssignment(context: BuildContext, cst: AssignmentCst): readonly Assignment[] {
  const { Placeholder, fieldName, expression } = cst.children;
  if (Placeholder !== undefined) return splicedAssignments(context, first(Placeholder));
  return [
    {
      kind: 'Assignment',
      span: spanOf(context, cst),
      field: buildFieldName(context, first(fieldName ?? [])),
      value: buildExpression(context, first(expression ?? [])),
    },
  ];
}

/** `f := :f` for each field of a placeholder's list. */
function splicedAssignments(context: BuildContext, token: Token): readonly Assignment[] {
  const { filling } = token;
  if (filling === undefined) return [];
  const place = spanOfToken(context, token);
  if (filling.value.type === 'fields' && filling.assignments) {
    return filling.value.fields.map((given) => {
      const { span, name } = placedAt(given, place);
      return { kind: 'Assignment', span, field: name, value: { kind: 'BindParameter', span: name.span, name } };
    });
  }
  const found = describeValue(filling.value);
  context.report(diagnose('E0508', place, { name: filling.parameter, expected: 'a list of assignments', found }));
  return [];
}
