import type { FoldSlot } from '../language/plan/fold.ts';
import type { Type } from '../language/values/type.ts';
import { callCode, type Code } from './code.ts';
import type { Statement } from './module.ts';
import { valueType } from './value-type.ts';

/** The properties for one aggregate. */
export interface SlotNames {
  readonly name: string;
  /** Set for a mean, whose `name` is the sum: the number of its values. */
  readonly count?: string;
}

/** The form of one aggregate in a fold's accumulator. */
export interface KeptSlot {
  readonly members: readonly { readonly key: string; readonly type: string; readonly mutable: true }[];
  readonly initial: readonly (readonly [key: string, value: string])[];
  /** Statements that add one more argument; it is pure, so it may be printed twice. */
  readonly change: (argument: SlotArgument) => readonly Statement[];
}

/** The argument of an aggregate, as printed in a call and as an operand. */
export interface SlotArgument {
  readonly value: Code;
  readonly operand: Code;
}

export function keptSlot(slot: FoldSlot, { name, count = '' }: SlotNames): KeptSlot {
  const target = `fold.${name}`;
  const kept = (type: string, initial: string, change: (argument: SlotArgument) => readonly Code[]): KeptSlot => ({
    members: [{ key: name, type, mutable: true }],
    initial: [[name, initial]],
    change: (argument) => change(argument).map((code) => ({ kind: 'code', code })),
  });
  const called = (call: string, { value }: SlotArgument): Code => [
    `${target} = `,
    callCode(`sql.${call}`, [target, value]),
    ';',
  ];
  const value = valueType(slot.type, true);
  const nullable = slot.argument?.nullable === true;
  const counted = (field: string, { operand }: SlotArgument): Code =>
    nullable ? ['if (', operand, ` !== null) ${field} += 1n;`] : `${field} += 1n;`;
  switch (slot.function) {
    case 'LAST':
      return kept(value, 'null', (argument) => [
        nullable ? [`${target} = `, argument.operand, ` ?? ${target};`] : [`${target} = `, argument.value, ';'],
      ]);
    case 'FIRST':
      return kept(value, 'null', (argument) => [[`${target} ??= `, argument.value, ';']]);
    case 'MIN':
      return kept(value, 'null', (argument) => [
        called(slot.type.kind === 'INTERVAL' ? 'shortestInterval' : 'least', argument),
      ]);
    case 'MAX':
      return kept(value, 'null', (argument) => [
        called(slot.type.kind === 'INTERVAL' ? 'longestInterval' : 'greatest', argument),
      ]);
    case 'COUNT':
      return kept('bigint', '0n', (argument) => [counted(target, argument)]);
    case 'SUM':
      return kept(sumType(slot.type), 'null', (argument) => [called(adding(slot.type), argument)]);
    case 'AVG': {
      const sum = kept(sumType(slot.type), 'null', (argument) => [
        called(adding(slot.type), argument),
        counted(`fold.${count}`, argument),
      ]);
      return {
        ...sum,
        members: [...sum.members, { key: count, type: 'bigint', mutable: true }],
        initial: [...sum.initial, [count, '0n']],
      };
    }
  }
}

/** The value of a slot in the accumulator `fold`; the result of SUM and AVG is checked against its type here. */
export function slotValue(
  slot: FoldSlot,
  { name, count = '' }: SlotNames,
  fold: string,
): { readonly text: string; readonly type: string } {
  const kept = `${fold}.${name}`;
  const type = valueType(slot.type, slot.function !== 'COUNT');
  if (slot.function === 'SUM') return { text: sumText(slot.type, kept), type };
  if (slot.function === 'AVG') return { text: meanText(slot, kept, `${fold}.${count}`), type };
  return { text: kept, type };
}

/** Sums are exact and unlimited; those of DOUBLEs have their rounding error. */
function sumType(type: Type): string {
  const summed = adding(type);
  return summed === 'addToSum' ? 'bigint | null' : `ReturnType<typeof sql.${summed}>`;
}

function adding(type: Type): string {
  if (type.kind === 'INTERVAL') return 'addToIntervalSum';
  return type.kind === 'DOUBLE' ? 'addToDoubleSum' : 'addToSum';
}

function sumText(type: Type, kept: string): string {
  if (type.kind === 'INTERVAL') return `sql.intervalSum(${kept})`;
  if (type.kind === 'DECIMAL') return `sql.decimalSum(${kept}, ${type.scale})`;
  return `sql.${type.kind === 'DOUBLE' ? 'doubleSum' : 'bigintSum'}(${kept})`;
}

function meanText(slot: FoldSlot, kept: string, count: string): string {
  if (slot.type.kind === 'INTERVAL') return `sql.intervalMean(${kept}, ${count})`;
  if (slot.type.kind !== 'DECIMAL') return `sql.doubleMean(${kept}, ${count})`;
  const scale = slot.argument?.type.kind === 'DECIMAL' ? slot.argument.type.scale : 0;
  return `sql.decimalMean(${kept}, ${count}, ${slot.type.scale - scale}, ${slot.type.scale})`;
}
