import { kindTable } from '../../../language/contract/block-kind.ts';
import type { RegisteredBlock } from '../../../language/contract/domain.ts';
import { defined } from '../../../language/values/defined.ts';
import type { Request, WiredOptions } from './protocol.ts';

/** The request in a tool's line; undefined if the line is not a request. */
export function readRequest(line: string): Request | undefined {
  const given = objectOf(parsed(line));
  if (given === undefined) return undefined;
  const { ask, name, text, store, lenientPayload } = given;
  switch (ask) {
    case 'open':
      return typeof lenientPayload === 'boolean' ? { ask, lenientPayload } : undefined;
    case 'text':
      return typeof text === 'string' ? { ask, text } : undefined;
    case 'run': {
      const options = optionsOf(objectOf(given['options']));
      if (typeof name !== 'string' || typeof text !== 'string' || options === undefined) return undefined;
      return { ask, name, text, options };
    }
    case 'use':
      return typeof store === 'string' ? { ask, store } : undefined;
    case 'replace': {
      const { version } = given;
      if (typeof text !== 'string' || !Number.isSafeInteger(version)) return undefined;
      return { ask, text, version: Number(version) };
    }
    case 'enough':
    case 'stop':
    case 'stores':
      return { ask };
    default:
      return undefined;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
}

function optionsOf(given: Readonly<Record<string, unknown>> | undefined): WiredOptions | undefined {
  if (given === undefined) return undefined;
  const { keepGoing, adoptAtEnd, asOf } = given;
  if (!isFlag(keepGoing) || !isFlag(adoptAtEnd)) return undefined;
  if (asOf !== undefined && typeof asOf !== 'string') return undefined;
  return defined<WiredOptions>({ keepGoing, adoptAtEnd, asOf });
}

function isFlag(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === 'boolean';
}

/** The blocks in the text of a `replace`; undefined if it is not a list of them. Their texts are parsed when they are compiled. */
export function readBlocks(text: string): readonly RegisteredBlock[] | undefined {
  const given = parsed(text);
  const isBlock = (one: unknown): one is RegisteredBlock => {
    const { kind, name, text: definition } = objectOf(one) ?? {};
    return isBlockKind(kind) && typeof name === 'string' && typeof definition === 'string';
  };
  return Array.isArray(given) && given.every(isBlock) ? given : undefined;
}

function isBlockKind(kind: unknown): boolean {
  return typeof kind === 'string' && Object.hasOwn(kindTable, kind);
}
