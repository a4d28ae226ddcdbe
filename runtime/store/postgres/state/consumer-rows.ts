/**
 * The positions and leases of subscriptions in the side tables of a log, where every server of the log finds them: a row with a state and its
 * version, and a page for each turn since. A turn is kept only if the version is still the one that it was decided on, so that no lock outlasts a
 * statement; a server that was slower reads the turns of the others and decides again.
 */
import { fail } from '../../../../language/failure/failure.ts';
import type { Randomness, StoreLog } from '../../disk.ts';
import { JournalFailure } from '../../journal.ts';
import { createQuestion } from '../../turns/end-question.ts';
import {
  applyChange,
  changesOf,
  newState,
  type ConsumerChange,
  type ConsumerState,
} from '../../side/consumer-state.ts';
import { createTurnsByName, namesOf, type Consumers, type ConsumerTurn } from '../../side/consumers.ts';
import { refusedWrite } from '../../journal/log-failures.ts';
import type { Answer } from '../connection.ts';
import { DatabaseFailure } from '../failure.ts';
import type { Link } from '../link.ts';

const prefix = 'consumers ';
/** Turns after which the state is written as a whole. */
const mostPages = 100;
/** Attempts of a turn, in each of which another server can be faster. */
const attempts = 100;

/** A folded state with its origin: the whole state that it began with, and the number of pages after it. */
interface Folded {
  readonly base: string;
  readonly pages: number;
  readonly state: ConsumerState;
}

export function createConsumerRows(link: Link, namespace: string, random: Randomness, log: StoreLog): Consumers {
  const values = `"${namespace}".side_value`;
  const pagesTable = `"${namespace}".side_page`;
  const known = new Map<string, Folded>();
  const states = new Map<string, ConsumerState>();
  const questions = new Map<string, () => Promise<unknown>>();
  const inTurn = createTurnsByName();
  const ask = (text: string, parameters: readonly unknown[]): Promise<Answer> =>
    link.use((connection) => connection.query(text, parameters));
  const newBase = (): string => Buffer.from(random(8)).toString('hex');
  const versionOf = ({ base, pages }: Pick<Folded, 'base' | 'pages'>): string => `${base}/${pages}`;
  const learn = (name: string, folded: Folded): Folded => {
    known.set(name, folded);
    states.set(name, folded.state);
    return folded;
  };

  /** The state with the turns of all servers. Undefined if no server has written one. */
  const catchUp = async (name: string): Promise<Folded | undefined> => {
    const had = known.get(name);
    // A single statement, so that state and pages fit each other.
    const { rows } = await ask(
      `WITH found AS (SELECT name, version, value, split_part(version, '/', 1) AS base FROM ${values} WHERE name = $1)
       SELECT 0 AS page, version, CASE WHEN base = $2 THEN NULL ELSE value END FROM found
       UNION ALL
       SELECT p.page, NULL, p.body FROM ${pagesTable} p, found f
       WHERE p.name = f.name AND p.generation = f.base AND p.page > CASE WHEN f.base = $2 THEN $3::integer ELSE 0 END
       ORDER BY 1`,
      [prefix + name, had?.base ?? '', had?.pages ?? 0],
    );
    const [head, ...pages] = rows;
    if (head === undefined) return undefined;
    const [, version, whole] = head;
    const [base = ''] = (version ?? '').split('/');
    // Another question may have been answered meanwhile.
    const present = known.get(name);
    const isSame = whole === null && present?.base === base;
    const state = isSame ? present.state : newState();
    let folded: Folded = { base, state, pages: isSame ? present.pages : 0 };
    const apply = (text: string | null | undefined): void => {
      for (const change of JSON.parse(text ?? '[]') as readonly ConsumerChange[]) applyChange(state, change);
    };
    if (!isSame) apply(whole);
    for (const [page, , body] of pages) {
      if (Number(page) !== folded.pages + 1) continue;
      apply(body);
      folded = { ...folded, pages: folded.pages + 1 };
    }
    return learn(name, folded);
  };

  /** Rows of subscriptions that have begun have a version; the first server makes the row. */
  const folded = async (name: string): Promise<Folded> => {
    const there = known.get(name) ?? (await catchUp(name));
    if (there !== undefined) return there;
    const version = versionOf({ base: newBase(), pages: 0 });
    await ask(`INSERT INTO ${values} (name, version, value) VALUES ($1, $2, '[]') ON CONFLICT (name) DO NOTHING`, [
      prefix + name,
      version,
    ]);
    return (await catchUp(name)) ?? { base: '', pages: 0, state: newState() };
  };

  /** Whether the turn was kept; not if another server was faster. */
  const keep = async (name: string, { base, pages }: Folded, changes: readonly ConsumerChange[]): Promise<boolean> => {
    const { rows } = await ask(
      `WITH moved AS (UPDATE ${values} SET version = $3 WHERE name = $1 AND version = $2 RETURNING name)
       INSERT INTO ${pagesTable} (name, generation, page, rows, body)
       SELECT name, $4, $5::integer, $6::integer, $7 FROM moved RETURNING page`,
      [
        prefix + name,
        versionOf({ base, pages }),
        versionOf({ base, pages: pages + 1 }),
        base,
        pages + 1,
        changes.length,
        JSON.stringify(changes),
      ],
    );
    return rows.length > 0;
  };

  /** The whole state in place of the pages, unless another server has done it. */
  const shorten = async (name: string, { base, pages, state }: Folded): Promise<void> => {
    const next = newBase();
    try {
      await ask(
        `WITH moved AS (UPDATE ${values} SET version = $3, value = $4 WHERE name = $1 AND version = $2 RETURNING name)
         DELETE FROM ${pagesTable} p USING moved WHERE p.name = moved.name AND p.generation <> $5`,
        [
          prefix + name,
          versionOf({ base, pages }),
          versionOf({ base: next, pages: 0 }),
          JSON.stringify(changesOf(state)),
          next,
        ],
      );
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      // The pages are as good; the next turns try it again.
      log('warn', `the turns of the subscription ${name} could not be shortened: ${error.reason}`);
    }
  };

  const run = async <T>(name: string, decide: (state: ConsumerState) => ConsumerTurn<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const before = await folded(name);
        const { changes, result } = decide(before.state);
        if (changes.length === 0) return result(before.state);
        if (await keep(name, before, changes)) {
          // A question that was answered meanwhile may have brought this very turn.
          const now = known.get(name);
          const isNext = now?.base === before.base && now.pages === before.pages;
          if (isNext) for (const change of changes) applyChange(now.state, change);
          const after = isNext ? learn(name, { ...now, pages: now.pages + 1 }) : ((await catchUp(name)) ?? before);
          if (after.pages >= mostPages) await shorten(name, after);
          return result(after.state);
        }
        await catchUp(name);
      } catch (error) {
        if (!(error instanceof JournalFailure)) throw error;
        const isAgain = error instanceof DatabaseFailure && error.meaning === 'again';
        if (!isAgain) throw fail('R0416', { reason: error.reason });
      }
      if (attempt === attempts) throw fail('R0416', { reason: 'other servers were faster' });
    }
  };

  return {
    turn: (name, decide) => inTurn(name, () => run(name, decide)),
    refresh: async (name) => {
      const question = questions.get(name) ?? createQuestion(() => catchUp(name));
      questions.set(name, question);
      try {
        await question();
      } catch (error) {
        throw error instanceof JournalFailure ? refusedWrite(error) : error;
      }
    },
    isShared: true,
    stateOf: (name) => states.get(name) ?? newState(),
    names: () => namesOf(states),
    notes: () => [],
    close: () => Promise.resolve(),
  };
}
