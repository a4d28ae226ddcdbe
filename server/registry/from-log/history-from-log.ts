import {
  atOnce,
  readRecordedEnum,
  readRecordedEvent,
  type Diagnostic,
  type RecordedEvent,
  type Steps,
} from '../../../compiler/index.ts';
import { Failure } from '../../../language/failure/failure.ts';
import type { EnumType } from '../../../language/values/type.ts';
import type { SchemaChange } from '../../../runtime/store/entry.ts';
import type { Entries } from '../../../runtime/store/store.ts';
import { createHistoryReader, type HistoryReader } from './stored-history.ts';

/** Every definition under which events were stored: the events of every schema entry of the log, oldest first. */
export function readHistoryFromLog(log: Pick<Entries, 'schema' | 'eventKinds'>): HistoryReader {
  return atOnce(historyInSteps(log));
}

/** Reads the history in steps of one definition. */
export function* historyInSteps(log: Pick<Entries, 'schema' | 'eventKinds'>): Steps<HistoryReader> {
  const history = createHistoryReader(log);
  const enums = new Map<string, EnumType>();
  for (const entry of log.schema()) {
    const changes = entry.changes.filter(isDefinition);
    for (const { block, name, text } of changes) {
      if (block === 'enum') enums.set(name.toLowerCase(), { name, values: readEnum(name, text) });
    }
    // An enum may have been dropped since; an event names only those that were there.
    history.add({ enum: [...enums.values()], event: [] });
    for (const { block, name, text } of changes) {
      if (block !== 'event') continue;
      history.add({ enum: [], event: [readEvent(name, text, [...enums.values()])] });
      yield;
    }
  }
  return history;
}

type Definition = SchemaChange & { readonly block: 'event' | 'enum'; readonly text: string };

/** The definitions that say what stored events contain. */
function isDefinition(change: SchemaChange): change is Definition {
  return change.change === 'put' && (change.block === 'event' || change.block === 'enum') && change.text !== undefined;
}

/** The definition was read when it was accepted, so an error means a damaged log: a `Failure` R0503. */
function readEvent(name: string, text: string, enums: readonly EnumType[]): RecordedEvent {
  const event = readRecordedEvent(name, text, enums);
  if (event !== undefined && 'fields' in event) return event;
  throw damaged(`event ${name}`, event);
}

function readEnum(name: string, text: string): readonly string[] {
  const values = readRecordedEnum(name, text);
  if (values === undefined) throw damaged(`enum ${name}`, undefined);
  return values;
}

function damaged(block: string, problem: Diagnostic | undefined): Failure {
  const why = problem === undefined ? 'its definition does not parse' : `${problem.message} (${problem.code})`;
  return new Failure('R0503', `the registry does not compile: ${block}: ${why}`);
}
