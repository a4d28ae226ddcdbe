/**
 * Compiling for an editor: a text with errors still gives the catalog of the blocks that compile without the others, all diagnostics, and what
 * each name refers to. `check`, `build` and `create` stay all or nothing (`compile.ts`); both use the same checks.
 */
import { createPartialFiles } from './analyse/incremental/partial-files.ts';
import { orderDiagnostics } from './analyse/incremental/change/order-diagnostics.ts';
import { noHistory, type Registry, type StoredHistory } from './analyse/environment/registry.ts';
import { crossCheckInSteps } from './analyse/validate/cross-check.ts';
import type { Catalog } from '../language/catalog/catalog.ts';
import type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
import { hasErrors } from '../language/diagnostics/has-errors.ts';
import { placedDiagnostic } from '../language/diagnostics/placed.ts';
import { sortedDiagnostics, usualErrors } from '../language/diagnostics/sort.ts';
import type { SourceFile } from '../language/source/source-file.ts';
import { atOnce, type Steps } from '../language/source/steps.ts';
import { checkOthers } from './compile.ts';
import { createSymbols, type Symbols } from './symbols.ts';
import { expandStatements } from './syntax/expand/expand-statements.ts';
import { headerHints } from './syntax/file-header.ts';
import { allLost } from './syntax/grammar/lost-blocks.ts';
import { parseScript } from './syntax/parse.ts';
import { createChangeParser, type ParsedChanges } from './syntax/parse-changes.ts';

export interface PartialResult {
  /** The blocks that compile with nothing but each other. A block with errors is not in it, nor is one that needs such a block. */
  readonly catalog: Catalog;
  readonly registry: Registry;
  /**
   * Diagnostics that `compileFiles` gives for these texts. A block that only fails because it names a block with
   * errors has none: the error is reported in the other block.
   */
  readonly diagnostics: readonly Diagnostic[];
  /** Warnings across blocks, which `check` reports in addition for a text without errors. Found when asked for. */
  readonly crossChecks: () => Steps<readonly Diagnostic[]>;
  /** Targets of the names in the texts; found when first asked for. */
  readonly symbols: Symbols;
}

/** Compiles mostly unchanged files repeatedly, with errors or without: only the differences from the last texts are parsed and checked. */
export interface PartialCompiler {
  readonly compile: (sources: readonly SourceFile[], history?: StoredHistory) => PartialResult;
  /** `compile` in steps of one statement or block. Steps that are not run to their end are forgotten; two runs do not overlap. */
  readonly compileInSteps: (sources: readonly SourceFile[], history?: StoredHistory) => Steps<PartialResult>;
}

/** For a process that shows a text while it is written; gives at most `mostErrors` errors. */
export function createPartialCompiler(mostErrors = usualErrors): PartialCompiler {
  const parser = createChangeParser();
  const files = createPartialFiles();
  function* compileInSteps(sources: readonly SourceFile[], history: StoredHistory = noHistory): Steps<PartialResult> {
    const parsed = (yield* parser.parse(sources)) ?? parseWhole(sources);
    const { placed } = parsed;
    const { blocks, instances, diagnostics: applied, lost } = expandStatements(parsed.statements, parsed.lost);
    const { registry, diagnostics, entries } = yield* files.change({ put: blocks, history, instances, lost });
    const place = (all: readonly Diagnostic[]): readonly Diagnostic[] =>
      all.map((diagnostic) => placedDiagnostic(diagnostic, placed));
    const order = Array.from(new Set(blocks.map(({ span }) => placed(span).file)));
    const checked = orderDiagnostics(place(diagnostics), order, mostErrors);
    const before = [...place(parsed.diagnostics), ...place(applied), ...checked];
    const others = hasErrors(before) ? [] : place(checkOthers(parsed.statements, registry));
    return {
      catalog: registry.catalog,
      registry,
      diagnostics: sortedDiagnostics([...before, ...others], sources, mostErrors),
      *crossChecks() {
        return place(yield* crossCheckInSteps(registry));
      },
      symbols: createSymbols({ registry, entries, statements: parsed.statements, placed }),
    };
  }
  return { compile: (sources, history) => atOnce(compileInSteps(sources, history)), compileInSteps };
}

function parseWhole(sources: readonly SourceFile[]): ParsedChanges {
  const parsed = sources.map((source) => parseScript(source));
  return {
    statements: parsed.flatMap((script) => script.statements.flatMap(({ statement }) => statement ?? [])),
    diagnostics: parsed.flatMap((script) => [...script.diagnostics, ...headerHints(script.statements)]),
    lost: allLost(parsed.flatMap((script) => script.statements.flatMap(({ lost }) => lost ?? []))),
    placed: (span) => span,
  };
}
