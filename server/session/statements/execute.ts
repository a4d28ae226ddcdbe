import { bindExecute, type BoundExecute, type Execute, type TypedExpression } from '../../../compiler/index.ts';
import type { Explain } from '../../../runtime/engine/explain.ts';
import { operator } from '../../operation/caller.ts';
import { executeExplained } from '../../operation/execute/execute.ts';
import { explainOf } from '../../registry/load/guard-terms.ts';
import { fail } from '../../../language/failure/failure.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { toJsonValue } from '../../../language/values/json-value.ts';
import type { JsonValue } from '../../../language/values/json.ts';
import type { Type, Value } from '../../../language/values/type.ts';
import { constantQuery } from '../../registry/constant-query.ts';
import type { StatementContext } from '../context.ts';
import type { StatementResult } from '../outcome.ts';
import { bindScope } from '../scope.ts';
import { evaluateInside, withBound } from '../evaluate.ts';
import { readOnlyPlace } from './blocks.ts';

/** EXECUTE: constant arguments are evaluated, then processed like arguments sent over HTTP. */
export async function runExecute(context: StatementContext, statement: Execute): Promise<StatementResult> {
  if (context.reg !== context.own) throw readOnlyPlace(context.reg);
  await context.live.adopt();
  const bound = bindExecute(context.live.registry(), statement, bindScope(context));
  return withBound(context, bound, async (execute) => {
    const sent = await constants(
      context,
      execute.arguments.map(({ value }) => value),
    );
    const options = await readOptions(context, execute);
    const request = {
      command: execute.command,
      arguments: new Map(
        execute.arguments.map(({ field }, index): [string, JsonValue] => [field, sent[index] ?? null]),
      ),
      ...options,
      ...(context.caller && { caller: context.caller }),
    };
    // Sessions always show why.
    const explain = (decision: string): Explain | undefined => explainOf(context.live.registry().catalog, decision);
    return { kind: 'execute', outcome: await executeExplained(context.engine, request, { caller: operator }, explain) };
  });
}

async function constants(context: StatementContext, values: readonly TypedExpression[]): Promise<readonly JsonValue[]> {
  if (values.length === 0) return [];
  const table = await evaluateInside(context, constantQuery(values));
  const row: Row = table.rows[0] ?? [];
  return values.map((value, index) => toJsonValue(row[index] ?? null, value.type));
}

interface ReadOptions {
  commandId?: string;
  expectedSeq?: number;
  correlationId?: string;
  causationId?: string;
}

const optionNames = { command_id: 'commandId', correlation_id: 'correlationId', causation_id: 'causationId' } as const;

async function readOptions(context: StatementContext, execute: BoundExecute): Promise<ReadOptions> {
  const read: ReadOptions = {};
  const values = execute.options.map(({ value }) => value);
  const table = values.length === 0 ? undefined : await evaluateInside(context, constantQuery(values));
  execute.options.forEach(({ name, value }, index) => {
    const given = table?.rows[0]?.[index] ?? null;
    if (name === 'expected_seq') read.expectedSeq = wholeNumber(name, given, value.type);
    else read[optionNames[name]] = shortText(name, given);
  });
  return read;
}

function wholeNumber(option: string, value: Value, type: Type): number {
  const number = type.kind === 'INT' || type.kind === 'BIGINT' ? Number(value) : -1;
  if (!Number.isSafeInteger(number) || number < 0) throw fail('R0111', { option, takes: 'a whole number from 0' });
  return number;
}

function shortText(option: string, value: Value): string {
  if (typeof value !== 'string' || value === '' || value.length > 256)
    throw fail('R0111', { option, takes: 'a text of 1 to 256 characters' });
  return value;
}
