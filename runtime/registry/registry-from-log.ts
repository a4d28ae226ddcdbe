import { changeRegistry, emptyRegistry, isBlockStatement, noHistory, parseScript, type BlockStatement, type Registry } from '../../compiler/index.ts';
import type { Store } from '../store/store.ts';
import { readLoggedBlocks, type LoggedBlock } from './logged-blocks.ts';
import type { HistoryReader } from './stored-history.ts';

/** Compiles the registry that the log holds. Its texts compiled when they were accepted, so a failure here is a damaged log or a bug. */
export async function registryFromLog(store: Store, history: HistoryReader): Promise<Registry> {
  const blocks = await readLoggedBlocks(store);
  if (blocks.length === 0) return emptyRegistry;
  const put = blocks.map(treeOf);
  const result = changeRegistry(emptyRegistry, { put, drop: [], mode: 'files', forward: [], history: noHistory });
  const [problem] = result.diagnostics.filter(({ severity }) => severity === 'error');
  if (problem !== undefined) throw new Error(`the registry in the log does not compile: ${problem.message}`);
  history.noteChange(result.registry.catalog);
  return result.registry;
}

function treeOf(block: LoggedBlock): BlockStatement {
  const { statements } = parseScript({ name: `${block.kind} ${block.name}`, text: block.text });
  const tree = statements[0]?.statement;
  if (tree === undefined || !isBlockStatement(tree)) throw new Error(`the log's definition of ${block.kind} ${block.name} does not parse`);
  return block.template === undefined ? tree : { ...tree, stamp: { template: block.template, instance: block.instance ?? '' } };
}
