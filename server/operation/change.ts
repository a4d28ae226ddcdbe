/** Changes of the registry by a text of statements, and as a whole. Each is all or nothing, and its blocks serve requests when it has ended. */
import { isDeepStrictEqual } from 'node:util';
import {
  hasErrors,
  isBlockStatement,
  parseInSteps,
  placeOf,
  type BlockStatement,
  type ParsedStatement,
} from '../../compiler/index.ts';
import type { BlockKind } from '../../language/contract/block-kind.ts';
import type { RegisteredBlock } from '../../language/contract/domain.ts';
import { fail } from '../../language/failure/failure.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { compileInSteps } from '../registry/from-log/compile-blocks.ts';
import { inSlices, slicedStatement } from '../registry/in-slices.ts';
import type { LiveRegistry } from '../registry/live/live-registry.ts';
import { describe, describeEach } from './diagnostic-text.ts';
import { TextRefused } from './text-refused.ts';

export interface Created {
  readonly registryVersion: number;
  readonly created: readonly CreatedBlock[];
}
export interface CreatedBlock extends Partial<Waits> {
  readonly kind: string;
  readonly name: string;
  readonly change: 'created' | 'replaced' | 'unchanged';
}
/** Commands of a reaction that was replaced: those that wait for their time, and those of branches that are gone. */
interface Waits {
  readonly waiting: number;
  readonly cancelled: number;
}

/**
 * Puts a text of CREATE statements in force as one change (docs/http.md#schema-and-console); changes are processed one after the other. Throws
 * `TextRefused`. The answer has no place for the warnings of a text that compiles; `warn` receives them.
 */
export async function createBlocks(
  engine: Engine,
  live: LiveRegistry,
  text: string,
  warn: (message: string) => void,
): Promise<Created> {
  if (engine.readOnly) throw fail('R0109', { what: 'creating schema' });
  const { statements, diagnostics } = await inSlices(parseInSteps({ name: 'lang', text }, slicedStatement));
  const other = statements.find(({ statement, lost }) =>
    statement === undefined ? lost?.foreign === true : !isBlockStatement(statement),
  );
  if (other !== undefined) throw refused('forbidden', `only CREATE of blocks is accepted here, not: ${excerpt(other)}`);
  if (hasErrors(diagnostics)) throw refused('invalid', ...describeEach(diagnostics));
  if (statements.length === 0) throw refused('invalid', '1:1 the text has no statement');
  const put = statements.flatMap(({ statement }) =>
    statement !== undefined && isBlockStatement(statement) ? [statement] : [],
  );
  const placed = put.flatMap((block) => chosenPlace(block, engine)).at(0);
  if (placed !== undefined) throw refused('forbidden', placed);
  const before = waitingIn(engine);
  const result = await live.put({ put, drop: [], forward: [] });
  if (hasErrors(result.diagnostics)) throw refused('invalid', ...describeEach(result.diagnostics));
  const warnings = describe(result.diagnostics, 'warning');
  if (warnings !== '') warn(`posted schema: ${warnings}`);
  const created = result.changes.map(({ kind, name, change }) => ({
    kind,
    name,
    change: change === 'dropped' ? ('replaced' as const) : change,
    ...(kind === 'reaction' && change === 'replaced' ? waitsOf(engine, name, before.get(name)) : {}),
  }));
  return { registryVersion: engine.registryVersion(), created };
}

/** A whole registry that is to be put in force. */
export interface Replacement {
  /** All its blocks: those that are missing here are dropped. */
  readonly blocks: readonly RegisteredBlock[];
  /** The version of the registry that they were compared with. */
  readonly version: number;
}

/** The outcome. With `moved` nothing was changed: the registry is no longer the one that was compared. */
export type Replaced =
  | { readonly outcome: 'moved'; readonly version: number }
  | {
      readonly outcome: 'replaced';
      readonly version: number;
      readonly changes: readonly {
        readonly change: 'put' | 'drop';
        readonly block: BlockKind;
        readonly name: string;
      }[];
    };

/** Puts the blocks in force as one change, unless another change came since they were compared. */
export async function replaceBlocks(
  engine: Engine,
  live: LiveRegistry,
  { blocks, version }: Replacement,
): Promise<Replaced> {
  if (engine.readOnly) throw fail('R0109', { what: 'deploying a schema' });
  // The comparison may have seen changes of other servers that this one has not taken in yet.
  await engine.store.turns.fresh();
  let found = version;
  const changes = await live.replace(async (history) => {
    found = engine.registryVersion();
    return found === version ? inSlices(compileInSteps(blocks, history)) : undefined;
  });
  if (found !== version) return { outcome: 'moved', version: found };
  return {
    outcome: 'replaced',
    version: engine.registryVersion(),
    changes: changes.map(({ change, block, name }) => ({ change, block, name })),
  };
}

/** The keys of an event store that say where on this machine, or on which other one, its log is. */
const placeKeys: readonly string[] = ['durable.path', 'wal.path', 'durable.url', 'durable.listen_url'];

/** Why a caller may not post the event store: it would choose a place that the operator did not. A place that the registered block names is allowed. */
function chosenPlace(block: BlockStatement, { domain }: Engine): readonly string[] {
  if (block.kind !== 'CreateEventStore') return [];
  const stores = domain().eventStores;
  const known = stores.find(({ name }) => name === block.name.text)?.options ?? [];
  return block.options.flatMap(({ key, value }) => {
    const name = key.text.toLowerCase();
    if (!placeKeys.includes(name)) return [];
    const given = value.type === 'env' ? { env: value.variable } : 'text' in value ? value.text : undefined;
    const same = known.find((option) => option.key === name)?.value;
    if (isDeepStrictEqual(given, same)) return [];
    const allowed = 'an event store that is posted names no place; write it in the files of the server';
    const { line, column } = placeOf(key.span.file, key.span.start);
    return [`${line}:${column} ${name} of event store '${block.name.text}': ${allowed}`];
  });
}

type ByBranch = ReadonlyMap<string, number>;

/** The commands of each reaction that wait for their time, as far as this server knows them. */
function waitingIn({ domain, reactions }: Engine): ReadonlyMap<string, ByBranch | undefined> {
  return new Map(domain().reactions.map(({ name }) => [name, reactions.waitingByBranch(name)]));
}

/** Counts the commands that still wait for a branch of the new definition, and those whose branch is gone. */
function waitsOf({ domain }: Engine, name: string, before: ByBranch | undefined): Partial<Waits> {
  const definition = domain().reactions.find((each) => each.name === name);
  if (before === undefined || definition === undefined) return {};
  const labels = new Set(definition.branches.flatMap(({ label, due }) => (due === undefined ? [] : [label])));
  const sum = (isThere: boolean): number =>
    [...before].reduce((total, [label, count]) => (labels.has(label) === isThere ? total + count : total), 0);
  return { waiting: sum(true), cancelled: sum(false) };
}

function refused(why: TextRefused['why'], ...messages: readonly string[]): TextRefused {
  return new TextRefused('lang', why, messages);
}

function excerpt({ textSpan }: ParsedStatement): string {
  const text = textSpan.file.text.slice(textSpan.start, textSpan.end).replaceAll(/\s+/g, ' ');
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
