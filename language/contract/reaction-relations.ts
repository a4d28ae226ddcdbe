import { columnsOf } from './query.ts';

/** `Reg."R$Waiting"` and `Reg."R$Reacted"` (docs/language.md#reaction). */
export const reactionRelations = {
  $Waiting: columnsOf(
    'due:TIMESTAMP global_position:BIGINT event_id event_type stream_id branch command arguments:JSON?',
  ),
  $Reacted: columnsOf(
    'entry:BIGINT at:TIMESTAMP global_position:BIGINT? event_id? branch? outcome command? stream_id? events:BIGINT[] error? subject?',
  ),
};

export type ReactionRelation = keyof typeof reactionRelations;
