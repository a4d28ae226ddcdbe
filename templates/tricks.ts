/** Explains the unusual SQL of generated code in one place of a generated project, to which other comments refer. */
import type { CompiledQuery } from '../language/contract/query.ts';

/** The comment above the definition of the read model. */
export const sqlExplained: readonly string[] = [
  'The definition of the read model: tables of events, views of states and projections, and folds, which are tables that are kept up to date ' +
    'event by event. `e$X` contains the events of aggregate X, `a$X` shows X$Agg, `p$P` projection P, `f$…` is a table of folds with the same key ' +
    'and `v$…` the view that reads one of them. Each view and fold starts with a comment that describes it.',
  '',
  "Names in the SQL: `r0`, `r1` are the relations of a FROM, `c0`, `c1` the columns of a result, `k0` a part of a fold's key, `s0` one of its " +
    'aggregates, `d$km` the field `km` of an event.',
  '',
  '`substr(MAX((1000000000000000000 + r0.global_position) || x), 20)` is LAST(x): the position in the log, made 19 digits long, comes before ' +
    'the value, so that the greatest text is the latest, and the value follows the position. Joining NULL gives NULL, which is ignored. ' +
    'With MIN it is FIRST(x).',
  '',
  '`-9e999` replaces NULL in the key of a fold, where NULL must equal itself. `s0_e` keeps the rounding error of the sum of DOUBLEs in `s0`. ' +
    '`CASE WHEN x NOT BETWEEN … THEN schemac_overflow(…)` fails where a number does not fit its type; functions named `schemac_…` belong to ' +
    'the runtime.',
];

const explained = /substr\(M(AX|IN)\(\(1000000000000000000 |schemac_|-9e999|NOT BETWEEN -/;

/** A line for the comment above a query whose text needs the explanation; none for other queries. */
export function trickComment({ sqlite }: CompiledQuery): readonly string[] {
  return explained.test(sqlite.sql) ? ['`read-model.ts` explains how the SQL is written.'] : [];
}
