import { blockKeywords } from '../../language/contract/block-kind.ts';
import type { Known } from '../../server/session/known.ts';

/** Words that open statements and clauses, without rare contextual ones. */
const keywords: readonly string[] =
  `AGGREGATE AGGREGATES AND APPLY AS BETWEEN BRANCH CASE CAST COMMAND COMMANDS CREATE DECISION DECISIONS DEFAULT DESCRIBE DISTINCT
  DROP ELSE EMIT END EVENT EVENTS EVENTSTORE EVENTSTORES EXCEPT EXECUTE EXISTS EXPLAIN EXPORT FALSE FILTER FOR FROM GROUP BY HAVING
  INNER INSPECT INSPECTION INTERSECT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL OFFSET ON OR ORDER PROJECTION PROJECTIONS REGISTRY
  REPLACE SELECT SENSITIVE STATE TABLE TAG TEMPLATE TEMPLATES THEN TO TRUE UNION USING VALIDATE VALUES VOLATILE WHEN WHERE WITH`
    .trim()
    .split(/\s+/);
const kinds: readonly string[] = [...blockKeywords, 'INSPECTION'];

/** The possible words at the end of `line`, by the text before it: `[candidates, the part they replace]`. */
export function complete(line: string, known: Known): [candidates: string[], part: string] {
  const part = /[A-Za-z_$"0-9]*$/.exec(line)?.[0] ?? '';
  const before = line.slice(0, line.length - part.length);
  const bare = part.replaceAll('"', '').toLowerCase();
  const found = candidates(before, known).filter((word) => word.replaceAll('"', '').toLowerCase().startsWith(bare));
  return [[...new Set(found)].sort(), part];
}

function candidates(before: string, known: Known): readonly string[] {
  if (/(?:^|[^\w])(?:reg|dereg)\.$/i.test(before)) return known.relations;
  if (/(?:^|[^\w])data\.$/i.test(before)) return known.payload;
  if (/\bexecute\s+$/i.test(before)) return known.commands.map((command) => `${command.name}(`);
  const called = /\bexecute\s+(\w+)\s*\([^)]*$/i.exec(before)?.[1];
  if (called !== undefined) return argumentsOf(called, known);
  if (/\b(?:describe|drop)\s+$/i.test(before)) return kinds;
  const kind = /\b(?:describe|drop|inspect|explain|for|on)\s+(\w+)\s+$/i.exec(before)?.[1]?.toLowerCase();
  if (kind !== undefined && kinds.includes(kind.toUpperCase())) return blocks(known, kind);
  if (/\bfrom\s+$|\bjoin\s+$/i.test(before)) return ['Reg.', ...known.relations.map((name) => `Reg.${name}`)];
  return [...keywords, ...known.blocks.map((block) => block.name), ...known.columns];
}

function argumentsOf(command: string, known: Known): readonly string[] {
  const found = known.commands.find((each) => each.name.toLowerCase() === command.toLowerCase());
  return (found?.fields ?? []).map((field) => `${field.name} := `);
}

function blocks(known: Known, kind: string): readonly string[] {
  return known.blocks.filter((block) => block.kind === kind).map((block) => block.name);
}
