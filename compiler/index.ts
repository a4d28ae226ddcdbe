/** The compiler's public surface: the functions that the server, the tool and users of the package call. */
export {
  bindCaller,
  bindExecute,
  bindInspectDecision,
  bindInspectProjection,
  bindInspectReaction,
  bindMoment,
  bindQuery,
  bindTable,
  storesNamed,
  type BoundMoment,
} from './analyse/bind-statement.ts';
export { kindOf } from './analyse/block/kind-of.ts';
export { changeInSteps, changeRegistry } from './analyse/incremental/change-registry.ts';
export { emptyRegistry, openRegistry } from './analyse/incremental/open-registry.ts';
export {
  noHistory,
  type BindScope,
  type Bound,
  type BoundExecute,
  type BoundInspectDecision,
  type BoundInspectProjection,
  type BoundInspectReaction,
  type ChangeResult,
  type ShapeLimits,
  type Registry,
  type RegistryChange,
  type RelationAccess,
  type StoredHistory,
} from './analyse/environment/registry.ts';
export { readRecordedEnum, readRecordedEvent, type RecordedEvent } from './analyse/incremental/recorded-event.ts';
export { crossCheck } from './analyse/validate/cross-check.ts';
export { placeFindings, type PlacedFinding } from './analyse/validate/place-findings.ts';
export type {
  AggregateBlock,
  Block,
  CallerCondition,
  DecisionBlock,
  EventBlock,
  ProjectionBlock,
} from '../language/catalog/block.ts';
export { emptyCatalog, findBlock, type Catalog } from '../language/catalog/catalog.ts';
export { catalogChanges, type CatalogChange } from '../language/catalog/changes.ts';
export { definitionText } from './analyse/incremental/definition-text.ts';
export { writtenText } from '../language/catalog/documented.ts';
export { exportOrder, exportRegistry } from '../language/catalog/export-order.ts';
export type { Spans, TypedExpression } from '../language/catalog/expression.ts';
export { metaRelationQuery } from '../language/catalog/meta-query.ts';
export { metaRelations } from '../language/contract/meta-relations.ts';
export { aggregateOfCommands, reactionOfTable } from './analyse/query/resolve-relation.ts';
export { readRelations } from './analyse/typed/walk.ts';
export { decidesOnSensitive } from './analyse/sensitive/decides-on-sensitive.ts';
export { waitsFor, withWaiting, type WaitingBlock } from '../language/catalog/waiting-block.ts';
export type { BoundNamedRelation, BoundQuery, RelationSource, SortKey } from '../language/catalog/query.ts';
export { candidateInSteps } from './candidate.ts';
export { compileFiles, createIncrementalCompiler, type CompileResult, type IncrementalCompiler } from './compile.ts';
export { createPartialCompiler, type PartialResult, type PartialCompiler } from './partial.ts';
export type { Symbols } from './symbols.ts';
export type { SymbolTarget, SymbolUse } from './analyse/environment/symbol-use.ts';
export { givenPosition, planAsOf, streamsThen, streamsThenNames, type AsOfPlan } from './plan/as-of.ts';
export { rowsOf, visibleRows, type Behind } from './plan/visible-rows.ts';
export { givenStreams } from './plan/given-streams.ts';
export { clearValues } from './plan/clear-values.ts';
export { visibleThen, withoutPresent, type PresentSet, type ThenPlan } from './plan/visible-then.ts';
export { certainRowsFor, rowsFor, type CallerFacts, type Rows } from './plan/rows-for.ts';
export { createMetaTables } from './emit/project/meta.ts';
export { rolesNamed } from './emit/project/roles-named.ts';
export { compareCatalogs } from './compare/compare-catalogs.ts';
export {
  difference,
  differenceCodes,
  sortedDifferences,
  type Difference,
  type DifferenceCode,
  type Level,
} from './compare/difference.ts';
export { describeBlock, describeKind, type DescribedTable } from './describe/describe.ts';
export { explainAsOf, explainBlock, explainQuery } from './describe/explain.ts';
export type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
export { hasErrors } from '../language/diagnostics/has-errors.ts';
export { nearestNames } from '../language/diagnostics/suggestion.ts';
export {
  emitInSteps,
  emitModules,
  type EmitOptions,
  type EmittedModule,
  type EmittedModules,
} from './emit/project/emit-modules.ts';
export { registeredBlocks } from './emit/structures.ts';
export { emitTerms } from './emit/terms.ts';
export {
  createProjectMemory,
  emitProject,
  type ProjectMemory,
  type ProjectOptions,
} from './emit/project/emit-project.ts';
export { createKept } from './emit/memory/kept.ts';
export { compileQuery } from './emit/sqlite/compile-query.ts';
export { writeFiles } from './emit/project/write-files.ts';
export { createFileHost } from './host.ts';
export { placeOf, type SourceFile } from '../language/source/source-file.ts';
export { atOnce, mapInSteps, type Steps } from '../language/source/steps.ts';
export { writtenSpan, type Span } from '../language/source/span.ts';
export { blockKey, type BlockKey, type BlockKind, blockKinds } from '../language/contract/block-kind.ts';
export { isBlockStatement } from './syntax/ast.ts';
export type * from './syntax/ast.ts';
export { expandApplications } from './syntax/expand/expand-applications.ts';
export { formatScript } from './syntax/format/format-script.ts';
export { startWithDoc } from './syntax/scan/doc-comments.ts';
export { prepareParser } from './syntax/grammar/parser.ts';
export { parseInSteps, parseScript, type ParsedStatement } from './syntax/parse.ts';
export { printName, quoteString } from './syntax/print/words.ts';
export { parseQuery, type ParameterValue, type QueryParameters } from './syntax/parse-query.ts';
export { commonType } from './functions/typing.ts';
