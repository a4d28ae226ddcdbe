/** Finds the statements of scripts that test a decision: they execute its command. */
import type { Catalog, SourceFile } from '../../../compiler/index.ts';
import { placeOf } from '../../../compiler/index.ts';
import type { Verdict } from '../../expectations/judge-script.ts';
import { parsedText } from '../../../compiler/editor/parsed-text.ts';

/** The first lines of the statements that execute the command, and of those behind them; empty if none does. */
export interface TestedLines {
  readonly has: (line: number) => boolean;
  readonly count: number;
}

export function testedLines(script: SourceFile, decision: string, catalog: Catalog): TestedLines {
  const command = catalog.blocks.decision.find((block) => isSame(block.name, decision))?.command;
  const { statements } = parsedText(script);
  const starts = statements.map(({ span }) => placeOf(script, span.start).line);
  const tests = statements.flatMap(({ statement }, index) =>
    statement?.kind === 'Execute' && command !== undefined && isSame(statement.command.text, command) ? [index] : [],
  );
  return {
    count: tests.length,
    has: (line) => tests.includes(starts.findLastIndex((start) => start <= line)),
  };
}

export function countVerdicts(verdicts: readonly Verdict[], lines?: TestedLines): { passed: number; failed: number } {
  const own = lines === undefined ? verdicts : verdicts.filter(({ line }) => lines.has(line));
  const failed = own.filter(({ mismatch }) => mismatch !== undefined).length;
  return { passed: own.length - failed, failed };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
