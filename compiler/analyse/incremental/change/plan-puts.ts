import { diagnose } from '../../../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../../language/diagnostics/diagnostic.ts';
import type { BlockStatement } from '../../../syntax/ast.ts';
import { mapInSteps, type Steps } from '../../../../language/source/steps.ts';
import { kindWord } from '../../name/name-rules.ts';
import type { BlockKey } from '../../../../language/contract/block-kind.ts';
import type { Entry } from '../workspace.ts';
import { createEntry } from './create-entry.ts';

/** The blocks that a list of CREATE statements puts, with names and definitions compared, but not yet checked. */
export interface PutPlan {
  /** An element for each accepted statement, in order. */
  readonly puts: readonly { readonly entry: Entry; readonly change: 'created' | 'replaced' | 'unchanged' }[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Takes one statement after the other: a taken name is an error, unless the definition is identical or replaced
 * (docs/language.md#blocks). Doc comments are replaced by OR REPLACE only.
 */
export function* planScript(
  statements: readonly BlockStatement[],
  taken: ReadonlyMap<BlockKey, Entry>,
): Steps<PutPlan> {
  const now = new Map<BlockKey, Entry>();
  const diagnostics: Diagnostic[] = [];
  const puts = yield* mapInSteps(statements, (statement): PutPlan['puts'] => {
    const entry = createEntry(statement);
    const there = now.get(entry.key) ?? taken.get(entry.key);
    if (there === undefined) {
      now.set(entry.key, entry);
      return [{ entry, change: 'created' }];
    }
    if (there.name !== entry.name) {
      diagnostics.push(caseOnly(statement, entry, there));
      return [];
    }
    const isKept = there.text === entry.text && (!statement.orReplace || there.docs?.text === entry.docs?.text);
    if (isKept) return [{ entry: there, change: 'unchanged' }];
    if (!statement.orReplace) {
      diagnostics.push(nameTaken(statement, entry, there));
      return [];
    }
    now.set(entry.key, entry);
    return [{ entry, change: 'replaced' }];
  });
  return { puts: puts.flat(), diagnostics };
}

/**
 * All statements as one compilation: OR REPLACE wins over a plain CREATE of the same block, in any order; two of one kind are an error
 * unless they are equal.
 */
export function* planFiles(
  statements: readonly BlockStatement[],
  before: ReadonlyMap<BlockKey, Entry>,
): Steps<PutPlan> {
  const chosen = new Map<BlockKey, { entry: Entry; statement: BlockStatement }>();
  const diagnostics: Diagnostic[] = [];
  for (const statement of statements) {
    const entry = createEntry(statement);
    yield;
    const there = chosen.get(entry.key);
    if (there === undefined) chosen.set(entry.key, { entry, statement });
    else if (there.entry.name !== entry.name) diagnostics.push(caseOnly(statement, entry, there.entry));
    else if (there.entry.text === entry.text) continue;
    else if (statement.orReplace && !there.statement.orReplace) chosen.set(entry.key, { entry, statement });
    else if (statement.orReplace === there.statement.orReplace)
      diagnostics.push(definedTwice(statement, entry, there.entry));
  }
  const puts = Array.from(chosen.values(), ({ entry }): PutPlan['puts'][number] => {
    const old = before.get(entry.key);
    const same =
      old !== undefined && old.name === entry.name && old.text === entry.text && old.docs?.text === entry.docs?.text;
    return { entry, change: old === undefined ? 'created' : same ? 'unchanged' : 'replaced' };
  });
  return { puts, diagnostics };
}

function firstDeclared(there: Entry): { readonly related: Diagnostic['related'] } {
  return { related: [{ message: 'first declared here', span: there.tree().name.span }] };
}

function caseOnly(statement: BlockStatement, entry: Entry, there: Entry): Diagnostic {
  const names = { kind: kindWord(entry.kind), name: entry.name, other: there.name };
  return diagnose('E0209', statement.name.span, names, firstDeclared(there));
}

function nameTaken(statement: BlockStatement, entry: Entry, there: Entry): Diagnostic {
  return diagnose('E0208', statement.name.span, { kind: kindWord(entry.kind), name: entry.name }, firstDeclared(there));
}

function definedTwice(statement: BlockStatement, entry: Entry, there: Entry): Diagnostic {
  return diagnose('E0421', statement.name.span, { kind: kindWord(entry.kind), name: entry.name }, firstDeclared(there));
}
