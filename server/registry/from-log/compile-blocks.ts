import {
  atOnce,
  changeInSteps,
  emptyRegistry,
  isBlockStatement,
  mapInSteps,
  parseScript,
  type BlockStatement,
  type ChangeResult,
  type Registry,
  type Steps,
  type StoredHistory,
} from '../../../compiler/index.ts';
import type { RegisteredBlock } from '../../../language/contract/domain.ts';
import { Failure } from '../../../language/failure/failure.ts';

/**
 * Compiles blocks from their canonical texts, as one compilation. They compiled when they were accepted, so an error here means a damaged
 * log, a newer rule, a history that forbids a definition, or a posted block whose base was removed from the files: a `Failure` R0503 that
 * names the first of them. `warn` receives the blocks that a newer limit would refuse.
 */
export function compileBlocks(
  blocks: readonly RegisteredBlock[],
  history: StoredHistory,
  warn?: (message: string) => void,
): Registry {
  return atOnce(compileInSteps(blocks, history, warn));
}

/** `compileBlocks` in steps: one per block that is read or checked. */
export function* compileInSteps(
  blocks: readonly RegisteredBlock[],
  history: StoredHistory,
  warn: (message: string) => void = () => undefined,
): Steps<Registry> {
  if (blocks.length === 0) return emptyRegistry;
  const result = yield* checkInSteps(blocks, history, true);
  const problem = result.diagnostics.find(({ severity }) => severity === 'error');
  if (problem !== undefined)
    throw new Failure(
      'R0503',
      `the registry does not compile: ${problem.span.file.name}: ${problem.message} (${problem.code})`,
    );
  for (const { message, code, severity } of result.diagnostics)
    if (severity === 'warning') warn(`${message} (${code})`);
  return result.registry;
}

/** The blocks as one compilation, with all findings; those that are to be in force for the first time are not `accepted` yet. */
export function checkBlocks(blocks: readonly RegisteredBlock[], history: StoredHistory): ChangeResult {
  return atOnce(checkInSteps(blocks, history, false));
}

function* checkInSteps(
  blocks: readonly RegisteredBlock[],
  history: StoredHistory,
  accepted: boolean,
): Steps<ChangeResult> {
  const put = yield* mapInSteps(blocks, treeOf);
  const instances = blocks.flatMap((block) =>
    (block.instances ?? []).map((instance) => ({ template: block.name, ...instance })),
  );
  return yield* changeInSteps(emptyRegistry, {
    put,
    drop: [],
    mode: 'files',
    forward: [],
    history,
    instances,
    accepted,
  });
}

function treeOf(block: RegisteredBlock): BlockStatement {
  const { statements } = parseScript({ name: `${block.kind} ${block.name}`, text: block.text });
  const tree = statements[0]?.statement;
  if (tree === undefined || !isBlockStatement(tree))
    throw new Failure(
      'R0503',
      `the registry does not compile: the definition of ${block.kind} ${block.name} does not parse`,
    );
  return block.template === undefined
    ? tree
    : { ...tree, stamp: { template: block.template, instance: block.instance ?? '' } };
}
