/**
 * Runs script text against an engine, statement by statement (docs/language.md#scripts). Takes source texts, gives one outcome per
 * statement; never prints, and never shows a sensitive value.
 */
import {
  isBlockStatement,
  storesNamed,
  type CreateTemplate,
  type Diagnostic,
  type ParsedStatement,
  type SourceFile,
  type Span,
  type Statement,
} from '../../compiler/index.ts';
import type { CallerIdentity } from '../../language/contract/caller.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { giveWay } from '../../runtime/store/give-way.ts';
import { placeInText } from '../../runtime/store/query-failure.ts';
import { placeNow, type CompiledPlace } from '../place/place.ts';
import type { ErrorResult, StatementOutcome, StatementResult } from './outcome.ts';
import { errorOf } from './problems.ts';
import { askedAsOf } from './as-of.ts';
import { readScript, type Script } from './script.ts';
import { runApply, runBlock, runDrop, runNewBlocks } from './statements/blocks.ts';
import { runAdvance } from './statements/advance.ts';
import { runDescribe, runDescribeAll, runExplain, runExport, runValidate } from './statements/describe.ts';
import { runSetCaller } from './statements/set-caller.ts';
import { runExecute } from './statements/execute.ts';
import { runInspectDecision, runInspectProjection, runInspectReaction } from './statements/inspect.ts';
import { runCreateTable, runDropTable, runQuery } from './statements/queries.ts';
import type { SessionContext, StatementContext } from './context.ts';

export interface Session {
  /** Runs a text. Stops after a failed statement, unless `keepGoing`; runs nothing of a text that does not parse, unless `keepGoing`. */
  readonly run: (file: SourceFile, options?: RunOptions) => AsyncGenerator<StatementOutcome>;
  /** The names that `useStore` takes: `Reg`, the session's own store, and those of its EVENTSTORE blocks. */
  readonly stores: () => Promise<readonly { readonly name: string; readonly used: boolean }[]>;
  /** Makes `Reg` mean that store, read-only, in the following statements. Throws R0501 if it cannot be opened or no block has that name. */
  readonly useStore: (name: string) => Promise<UsedStore>;
}
export interface RunOptions {
  readonly keepGoing?: boolean;
  /** The text is an input of its own: at its end its definitions are in force and logged. */
  readonly adoptAtEnd?: boolean;
  /** A moment, as text, for every statement that has none and can have one: a position in digits, else a time. */
  readonly asOf?: string;
  /** Receives the progress of a long statement, in words. */
  readonly onProgress?: (said: string) => void;
  /** Aborted when no further outcomes are wanted: the running statement is stopped with R0303 if possible, and none follows. */
  readonly signal?: AbortSignal;
}
export interface UsedStore {
  readonly name: string;
  readonly own: boolean;
  /** Absolute path of its directory, or `memory`. */
  readonly location: string;
  /** Global position of its last event. */
  readonly event: number;
}

export function createSession(context: SessionContext): Session {
  const { live } = context;
  let used: string | undefined;
  let caller: CallerIdentity | undefined;
  const setCaller = (given: CallerIdentity | undefined): void => {
    caller = given;
  };
  const knownTemplate = (name: string): CreateTemplate | undefined => {
    const tree = live.registry().tree('template', name);
    return tree?.kind === 'CreateTemplate' ? tree : undefined;
  };
  const named = (): readonly string[] => live.registry().catalog.blocks.eventstore.map(({ name }) => name);

  async function* run(file: SourceFile, options: RunOptions = {}): AsyncGenerator<StatementOutcome> {
    const { keepGoing = false } = options;
    const script = readScript(file, knownTemplate);
    const refuse = script.broken && !keepGoing;
    let last: StatementOutcome | undefined;
    const pause = giveWay(turnMilliseconds);
    /** Outcomes of blocks that were already put. */
    let ahead: readonly StatementOutcome[] = [];
    for (const [index, parsed] of script.statements.entries()) {
      if (refuse && parsed.statement !== undefined) continue;
      await pause();
      if (options.signal?.aborted === true && ahead.length === 0) break;
      if (used === undefined && startsBlocks(script, index)) ahead = await runNewBlocks(context, script, index);
      last = ahead[0] ?? (await runStatement(context, script, parsed, index, { used, caller, setCaller }, options));
      ahead = ahead.slice(1);
      yield last;
      if (last.kind === 'error' && !keepGoing && !refuse) break;
    }
    if (options.adoptAtEnd !== true || last === undefined) return;
    const { span } = last;
    const failed = await guarded(span, async () => {
      await live.adopt();
      return undefined;
    });
    if (failed !== undefined) yield { span, warnings: [], ...failed };
  }

  return {
    run,
    stores: () =>
      Promise.resolve([
        { name: ownStore, used: used === undefined },
        ...named().map((name) => ({ name, used: name === used })),
      ]),
    useStore: async (name) => {
      if (name.toLowerCase() === ownStore.toLowerCase()) {
        used = undefined;
        return placed(ownStore, true, context.engine);
      }
      if (!named().includes(name))
        throw fail('R0501', { store: name, problem: `there are ${[ownStore, ...named()].join(', ')}` });
      if (context.otherStores === undefined)
        throw fail('R0501', { store: name, problem: 'this session reads no other' });
      await live.adopt();
      const { engine } = await context.otherStores.open(name);
      used = name;
      return placed(name, false, engine);
    },
  };
}

const ownStore = 'Reg';

/** A text of many short statements keeps the thread for at most this long, in ms. */
const turnMilliseconds = 50;

function placed(name: string, own: boolean, { store }: SessionContext['engine']): UsedStore {
  return { name, own, location: store.location, event: store.turns.position().event };
}

type Asker = Pick<StatementContext, 'caller' | 'setCaller'>;

async function runStatement(
  session: SessionContext,
  script: Script,
  parsed: ParsedStatement,
  index: number,
  { used, ...asker }: Asker & { readonly used: string | undefined },
  { onProgress, signal, asOf }: RunOptions,
): Promise<StatementOutcome> {
  const { span, statement } = parsed;
  const warnings: Diagnostic[] = statement === undefined ? [] : [...parsed.diagnostics];
  const parts = {
    span,
    text: typedText(parsed),
    forward: script.forward(index),
    warn: (warning: Diagnostic) => warnings.push(warning),
    progress: async (said: string) => {
      onProgress?.(said);
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (signal?.aborted === true) throw fail('R0303', {});
    },
    ...(signal === undefined ? {} : { signal }),
    spans: new WeakMap(),
  };
  const result =
    statement === undefined
      ? errorOf(parsed.diagnostics)
      : await guarded(
          (failure) => placeOfFailure(span, statement, failure),
          async () => {
            if (session.reacts === true) await settleReactions(session, statement);
            const moment = askedAsOf(statement, asOf);
            if (moment !== undefined || showing.has(statement.kind)) await session.live.adopt();
            const places = await openPlaces(session, statement, used);
            const done = await dispatch({ ...session, ...parts, ...places, ...asker, asOf: moment }, statement);
            const reacted = session.reacts === true ? await session.engine.reactions.settled() : [];
            return reacted.length === 0 || done.kind === 'advance' ? done : { ...done, reacted };
          },
        );
  return { span, warnings, ...result };
}

/** Statements that show what is defined: all of it is put in force before. */
const showing: ReadonlySet<Statement['kind']> = new Set<Statement['kind']>([
  'QueryStatement',
  'CreateTable',
  'InspectDecision',
  'InspectProjection',
  'InspectReaction',
  'Explain',
]);

/** Before a statement other than a definition, all that is due has been done, by the definitions before it. */
async function settleReactions({ live, engine }: SessionContext, statement: Statement): Promise<void> {
  const known = live.registry().catalog.blocks.reaction.length + engine.domain().reactions.length;
  if (known === 0 || isBlockStatement(statement)) return;
  await live.adopt();
  await engine.reactions.settled();
}

/** The stores that a statement reads, each opened in its current state. */
async function openPlaces(
  session: SessionContext,
  statement: Statement,
  used: string | undefined,
): Promise<Pick<StatementContext, 'own' | 'reg' | 'others'>> {
  const { live, engine, otherStores } = session;
  const registry = live.registry();
  const own = placeNow(engine, engine.domain(), () => registry);
  const others = new Map<string, CompiledPlace>();
  if (otherStores === undefined || registry.catalog.blocks.eventstore.length === 0) return { own, reg: own, others };
  const { using, all } = storesNamed(registry, statement);
  const reg = using ?? used;
  if (all.length > 0 || reg !== undefined) await live.adopt();
  for (const name of reg === undefined ? all : [reg, ...all]) others.set(name, await otherStores.open(name));
  return { own, reg: (reg === undefined ? undefined : others.get(reg)) ?? own, others };
}

/** Whether the statement creates a block, and is the first of a series that does. */
function startsBlocks({ statements }: Script, index: number): boolean {
  const creates = (at: number): boolean => {
    const statement = statements[at]?.statement;
    return statement !== undefined && isBlockStatement(statement);
  };
  return creates(index) && !creates(index - 1);
}

function typedText({ textSpan }: ParsedStatement): string {
  return textSpan.file.text.slice(textSpan.start, textSpan.end);
}

/** A `Failure` is the statement's outcome, shown at that place; any other error is a bug and is rethrown. */
async function guarded<R>(at: Span | ((failure: Failure) => Span), work: () => Promise<R>): Promise<R | ErrorResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const span = typeof at === 'function' ? at(error) : at;
    return { kind: 'error', problems: [{ code: error.code, message: error.message, span }] };
  }
}

function placeOfFailure(whole: Span, statement: Statement, failure: Failure): Span {
  if (
    (failure.code === 'R0106' || failure.code === 'R0114') &&
    (statement.kind === 'Describe' || statement.kind === 'DropTable')
  )
    return statement.name.span;
  const expression = placeInText(failure);
  if (expression !== undefined) return { ...whole, ...expression };
  if (statement.kind !== 'Execute') return whole;
  const argument = statement.arguments.find((given) => given.field.text === failure.field);
  return argument?.span ?? statement.command.span;
}

function dispatch(context: StatementContext, statement: Statement): Promise<StatementResult> {
  if (isBlockStatement(statement)) return runBlock(context, statement);
  switch (statement.kind) {
    case 'ApplyTemplate':
      return runApply(context, statement);
    case 'DropBlock':
      return runDrop(context, statement);
    case 'Execute':
      return runExecute(context, statement);
    case 'QueryStatement':
      return runQuery(context, statement);
    case 'CreateTable':
      return runCreateTable(context, statement);
    case 'DropTable':
      return runDropTable(context, statement);
    case 'InspectDecision':
      return runInspectDecision(context, statement);
    case 'InspectProjection':
      return runInspectProjection(context, statement);
    case 'InspectReaction':
      return runInspectReaction(context, statement);
    case 'Describe':
      return runDescribe(context, statement);
    case 'DescribeAll':
      return runDescribeAll(context, statement);
    case 'Validate':
      return runValidate(context);
    case 'Explain':
      return runExplain(context, statement);
    case 'Export':
      return runExport(context);
    case 'Advance':
      return runAdvance(context, statement);
    case 'SetCaller':
      return runSetCaller(context, statement);
    default:
      return statement satisfies never;
  }
}
