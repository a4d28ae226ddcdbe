import { error } from '../define.ts';

/** E044x: how stored events read under another definition. */
export const upcasts = {
  E0440: error<{ event: string; stored: string; version: number; count: number; clause: string }>(
    (p) =>
      `event '${p.event}' has no clause for ${p.count === 1 ? '1 event' : `${p.count} events`} stored ` +
      `as version ${p.version}${p.stored === p.event ? '' : ` of '${p.stored}'`}; write how ${p.count === 1 ? 'it reads' : 'they read'}: ${p.clause}`,
  ),
  E0441: error<{ event: string }>((p) => `two UPCAST clauses name one shape of '${p.event}'`),
  E0442: error<{ event: string }>(
    (p) =>
      `the UPCAST clause names the present fields of '${p.event}'; give the field whose meaning changes another name: events stored before cannot be distinguished from new ones`,
  ),
  E0443: error<{ field: string; stored: string; given: string }>(
    (p) => `'${p.field}' was ${p.stored} and is ${p.given}: the UPCAST clause must assign it`,
  ),
  E0444: error<{ event: string; problem: string }>((p) => `UPCAST FROM EVENT ${p.event}: ${p.problem}`),
  E0445: error<{ name: string; known: readonly string[] }>(
    (p) =>
      `':${p.name}' has no meaning here; an UPCAST clause reads the old fields by their names, and ${p.known.map((name) => `:${name}`).join(', ')} of the event`,
  ),
} as const;
