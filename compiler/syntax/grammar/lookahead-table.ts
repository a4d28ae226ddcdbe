import { describeLookahead } from './describe-lookahead.ts';

/**
 * Of each choice in a rule the tokens that it begins with, a line each: `drop OR 0: DROP | …`. The build puts the text in the place of this module
 * (`scripts/bundle.ts`), because finding it out takes a fifth of the time of a short script.
 */
export const lookaheadTable: string = describeLookahead();
