import { afterStart, layoutCode, layoutStatement, type Code } from '../../../templates/code.ts';
import { commentLines } from '../../../templates/literal.ts';
import type { ConstantPart, FunctionPart, Statement, TypePart } from '../../../templates/module.ts';

/** The language of a text: `js` omits the types, and breaks lines where `ts` breaks them. */
export type Target = 'ts' | 'js';

/** The lines of a function's statements, indented for a function at the top of a module. */
export function statementLines(statements: readonly Statement[], target: Target, indent = 2): readonly string[] {
  return statements.flatMap((statement) => statementText(statement, target, indent).split('\n'));
}

function statementText(statement: Statement, target: Target, indent: number): string {
  const pad = ' '.repeat(indent);
  switch (statement.kind) {
    case 'text':
      return statement.text.replace(/^(?=.)/gm, pad);
    case 'code':
      return `${pad}${layoutStatement(statement.code, indent, indent)}`;
    case 'local': {
      const typed = `${pad}const ${statement.name}: ${statement.type} = `;
      const start = target === 'ts' ? typed : `${pad}const ${statement.name} = `;
      return `${afterStart(start, statement.value, indent, typed.length)};`;
    }
    case 'if':
      return ifText(statement.condition, statement.body, target, indent);
    case 'comment':
      return statement.lines
        .flatMap(commentLines)
        .map((line) => `${pad}// ${line}`.trimEnd())
        .join('\n');
  }
}

function ifText(condition: Code, body: readonly Statement[], target: Target, indent: number): string {
  const pad = ' '.repeat(indent);
  const [first] = body;
  if (body.length === 1 && first?.kind === 'code') {
    const head = `${pad}if (${layoutCode(condition, indent, indent + 4, 2)}) `;
    const short = `${head}${layoutCode(first.code, indent, head.length)}`;
    if (!short.includes('\n') && short.length <= 120) return short;
  }
  const start = `${pad}if (${layoutCode(condition, indent, indent + 4, 3)}) {`;
  return `${start}\n${statementLines(body, target, indent + 2).join('\n')}\n${pad}}`;
}

/** `const name: Type = value;` laid out for the top of a module. */
export function constantText(part: ConstantPart, target: Target): string {
  const typed = `${part.exported ? 'export ' : ''}const ${part.name}${part.type === undefined ? '' : `: ${part.type}`} = `;
  const start = target === 'ts' ? typed : `${part.exported ? 'export ' : ''}const ${part.name} = `;
  return `${afterStart(start, part.value, 0, typed.length)};`;
}

/** `type Name = …;`; the type may begin with a line end. */
export function typeText(part: TypePart): string {
  const start = `${part.exported ? 'export ' : ''}type ${part.name} =`;
  return `${start}${part.type.startsWith('\n') ? '' : ' '}${part.type};`;
}

/** `export function name(a: A): R` on one line. */
export function functionHeader(part: FunctionPart, target: Target): string {
  const words = `${part.exported ? 'export ' : ''}${part.asynchronous ? 'async ' : ''}function ${part.name}`;
  const typed = target === 'ts';
  const parameters = part.parameters.map(({ name, type }) => (typed ? `${name}: ${type}` : name)).join(', ');
  return typed ? `${words}${part.typeParameters ?? ''}(${parameters}): ${part.returns}` : `${words}(${parameters})`;
}

/** A comment block above a declaration, without line end. */
export function documentationText(lines: readonly string[], indent = 0): string {
  const pad = ' '.repeat(indent);
  const safe = lines.flatMap(commentLines);
  const [only] = safe;
  if (safe.length === 1 && only !== undefined && only.length + indent <= 112) return `${pad}/** ${only} */`;
  return [`${pad}/**`, ...safe.map((line) => `${pad} * ${line}`.trimEnd()), `${pad} */`].join('\n');
}
