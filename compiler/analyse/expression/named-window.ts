/** The WINDOW clause: named windows, and windows that extend one, by the rules of PostgreSQL. */
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Name, Node, WindowDefinition, WindowSpecification } from '../../syntax/ast.ts';
import { findAll } from '../../syntax/walk.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { bindSpecification } from './bind-window.ts';

/** The window of `OVER` with everything it takes from named windows written out; undefined if it has errors, which are reported. */
export function writtenOut(
  over: WindowSpecification | Name,
  what: string,
  { windows = [], binding }: ExpressionContext,
): WindowSpecification | undefined {
  const refuse = (name: Name, problem: string): void =>
    binding.report(diagnose('E0616', name.span, { function: what, problem }));
  const find = (name: Name, among: readonly WindowDefinition[]): WindowSpecification | undefined => {
    const index = among.findIndex((window) => sameName(window.name, name));
    const found = among[index];
    if (found !== undefined) return extended(found.specification, among.slice(0, index));
    refuse(name, `names the window '${name.text}', which no WINDOW before it defines`);
    return undefined;
  };
  const extended = (
    specification: WindowSpecification,
    among: readonly WindowDefinition[],
  ): WindowSpecification | undefined => {
    const { base, ...own } = specification;
    if (base === undefined) return specification;
    const from = find(base, among);
    if (from === undefined) return undefined;
    const problem = extensionProblem(own, from);
    if (problem === undefined) {
      const orderBy = own.orderBy.length > 0 ? own.orderBy : from.orderBy;
      return { ...own, partitionBy: from.partitionBy, orderBy };
    }
    refuse(base, `cannot go on from the window '${base.text}': ${problem}`);
    return undefined;
  };
  return over.kind === 'Name' ? find(over, windows) : extended(over, windows);
}

function extensionProblem(own: WindowSpecification, from: WindowSpecification): string | undefined {
  if (own.partitionBy.length > 0) return 'PARTITION BY belongs to the first of them';
  if (own.orderBy.length > 0 && from.orderBy.length > 0) return 'it has an ORDER BY already';
  return from.frame === undefined ? undefined : 'it has a frame';
}

/** Each window has its own name, and must be valid even if it is not used. */
export function checkWindows(
  windows: readonly WindowDefinition[],
  users: readonly Node[],
  context: ExpressionContext,
): void {
  if (windows.length === 0) return;
  const used = new Set(
    [...windows, ...users].flatMap((node) => [
      ...findAll(node, 'FunctionCall').flatMap(({ over }) => (over?.kind === 'Name' ? [lower(over)] : [])),
      ...findAll(node, 'WindowSpecification').flatMap(({ base }) => (base === undefined ? [] : [lower(base)])),
    ]),
  );
  for (const [index, { name, specification }] of windows.entries()) {
    const what = `WINDOW ${name.text}`;
    const before = windows.slice(0, index);
    if (before.some((window) => sameName(window.name, name)))
      context.binding.report(diagnose('E0616', name.span, { function: what, problem: 'is defined before' }));
    else if (!used.has(lower(name))) bindSpecification(specification, what, { ...context, windows: before });
  }
}

function sameName(a: Name, b: Name): boolean {
  return lower(a) === lower(b);
}
function lower({ text }: Name): string {
  return text.toLowerCase();
}
