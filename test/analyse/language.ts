import { changeRegistry } from '../../compiler/analyse/incremental/change-registry.ts';
import { bindQuery } from '../../compiler/analyse/bind-statement.ts';
import { emptyRegistry } from '../../compiler/analyse/incremental/open-registry.ts';
import {
  noHistory,
  type BindScope,
  type Bound,
  type ChangeResult,
  type Registry,
  type RegistryChange,
} from '../../compiler/analyse/environment/registry.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import { isBlockStatement, type BlockStatement, type Statement } from '../../compiler/syntax/ast.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import { parseScript } from '../../compiler/syntax/parse.ts';
import type { Column } from '../../language/contract/query.ts';
import { typeName } from '../../language/values/type.ts';

export function fileOf(text: string | SourceFile): SourceFile {
  return typeof text === 'string' ? { name: 'test.schema', text } : text;
}

/** The statements of a text, which must parse. */
export function statementsOf(text: string | SourceFile): readonly Statement[] {
  const parsed = parseScript(fileOf(text));
  if (parsed.diagnostics.length > 0)
    throw new Error(`does not parse: ${parsed.diagnostics.map((d) => d.message).join('; ')}`);
  return parsed.statements.flatMap(({ statement }) => statement ?? []);
}

export function blocksOf(text: string | SourceFile): readonly BlockStatement[] {
  return statementsOf(text).filter(isBlockStatement);
}

const plain = { drop: [], forward: [], history: noHistory } as const;

/** All blocks of a text as one compilation, as `check` compiles files. */
export function checkFiles(text: string | SourceFile, more: Partial<RegistryChange> = {}): ChangeResult {
  return changeRegistry(emptyRegistry, { ...plain, put: blocksOf(text), mode: 'files', ...more });
}

export function compile(text: string): Registry {
  const { registry, diagnostics } = checkFiles(text);
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((d) => `${d.code} ${d.message}`).join('\n'));
  return registry;
}

/** A text put into a registry as one change of a script. */
export function put(registry: Registry, text: string | SourceFile, more: Partial<RegistryChange> = {}): ChangeResult {
  return changeRegistry(registry, { ...plain, put: blocksOf(text), mode: 'script', ...more });
}

/** Each change as `created command Fill`, waiting ones with `waits`. */
export function showChanges({ changes }: ChangeResult): readonly string[] {
  return changes.map(({ change, kind, name, complete }) => `${change} ${kind} ${name}${complete ? '' : ' waits'}`);
}

export function messagesOf({ diagnostics }: { readonly diagnostics: ChangeResult['diagnostics'] }): readonly string[] {
  return diagnostics.map((diagnostic) => `${diagnostic.code} ${diagnostic.message}`);
}

export const caller: BindScope = { tables: [], cleared: false };
export const cleared: BindScope = { tables: [], cleared: true };

/** The query of a text, bound for a caller. */
export function bind(registry: Registry, text: string | SourceFile, scope: BindScope = caller): Bound<BoundQuery> {
  const [statement] = statementsOf(text);
  if (statement?.kind !== 'QueryStatement') throw new Error('not a query');
  return bindQuery(registry, statement.query, scope);
}

/** `name TYPE`, with `?` where NULL is possible and `!` where sensitive. */
export function showColumn({ name, type, nullable, sensitive }: Column): string {
  return `${name} ${typeName(type)}${nullable ? '?' : ''}${sensitive ? '!' : ''}`;
}

/** The columns of a query, or its findings. */
export function columnsOf(registry: Registry, text: string, scope: BindScope = caller): readonly string[] {
  const bound = bind(registry, text, scope);
  return bound.value === undefined ? messagesOf(bound) : bound.value.columns.map(showColumn);
}
