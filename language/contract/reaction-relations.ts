import type { Type } from '../values/type.ts';
import type { Column } from './query.ts';

const text: Type = { kind: 'STRING' };
const whole: Type = { kind: 'BIGINT' };
const time: Type = { kind: 'TIMESTAMP' };

function column(name: string, type: Type, nullable = false): Column {
  return { name, type, nullable, sensitive: false };
}

/** `Reg."R$Waiting"` and `Reg."R$Reacted"` (docs/language.md#reaction). */
export const reactionRelations = {
  $Waiting: [
    column('due', time),
    column('global_position', whole),
    column('event_id', text),
    column('event_type', text),
    column('stream_id', text),
    column('branch', text),
    column('command', text),
    column('arguments', { kind: 'JSON' }, true),
  ],
  $Reacted: [
    column('entry', whole),
    column('at', time),
    column('global_position', whole, true),
    column('event_id', text, true),
    column('branch', text, true),
    column('outcome', text),
    column('command', text, true),
    column('stream_id', text, true),
    column('events', { kind: 'LIST', of: whole }),
    column('error', text, true),
    column('subject', text, true),
  ],
} as const satisfies Readonly<Record<string, readonly Column[]>>;

export type ReactionRelation = keyof typeof reactionRelations;
