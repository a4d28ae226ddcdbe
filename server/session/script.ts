import {
  expandApplications,
  isBlockStatement,
  parseScript,
  type BlockStatement,
  type ParsedStatement,
  type SourceFile,
} from '../../compiler/index.ts';
import type { CreateTemplate } from '../../compiler/index.ts';

/** A parsed script: its statements in order, and the blocks that each statement creates when it runs. */
export interface Script {
  readonly statements: readonly ParsedStatement[];
  readonly broken: boolean;
  /** Blocks created after statement `index`, which a reference may name before they exist (docs/language.md#blocks). */
  readonly forward: (index: number) => readonly BlockStatement[];
}

/**
 * Parses a script and looks ahead: a later APPLY counts with the blocks of its expansion, if its template is known from the registry or the
 * script itself.
 */
export function readScript(file: SourceFile, knownTemplate: (name: string) => CreateTemplate | undefined): Script {
  const { statements } = parseScript(file);
  const templates = new Map<string, CreateTemplate>();
  for (const { statement } of statements)
    if (statement?.kind === 'CreateTemplate' && !templates.has(statement.name.text))
      templates.set(statement.name.text, statement);
  const find = (name: string): CreateTemplate | undefined => knownTemplate(name) ?? templates.get(name);

  const creates: { readonly index: number; readonly block: BlockStatement }[] = [];
  statements.forEach(({ statement }, index) => {
    if (statement === undefined) return;
    if (isBlockStatement(statement)) creates.push({ index, block: statement });
    else if (statement.kind === 'ApplyTemplate')
      for (const stamped of expandApplications(statement, find).statements)
        if (isBlockStatement(stamped)) creates.push({ index, block: stamped });
  });
  return {
    statements,
    broken: statements.some(({ statement }) => statement === undefined),
    forward: (index) => creates.filter((create) => create.index > index).map((create) => create.block),
  };
}
