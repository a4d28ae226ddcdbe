import { flatText } from './code.ts';
import type { Statement } from './module.ts';

/** Whether statements read an object: `sql.x`, `command['x']`, `= folds;`, `sql.hasRole(context, …)`; strings do not count. */
export function mentions(statements: readonly Statement[], name: string): boolean {
  const found = new RegExp(`(?<![.\\w$])${name}[.[;,)]`);
  return statements.some((statement) =>
    statementTexts(statement).some((text) => found.test(text.replace(strings, "''"))),
  );
}

const strings = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs;

function statementTexts(statement: Statement): readonly string[] {
  switch (statement.kind) {
    case 'text':
      return [statement.text];
    case 'code':
      return [flatText(statement.code)];
    case 'local':
      return [flatText(statement.value)];
    case 'if':
      return [flatText(statement.condition), ...statement.body.flatMap(statementTexts)];
    case 'comment':
      return [];
  }
}
