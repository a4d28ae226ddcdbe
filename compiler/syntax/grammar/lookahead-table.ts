import { describeLookahead } from './describe-lookahead.ts';

/**
 * The tokens with which each choice in a rule begins, a line each: `drop OR 0: DROP | …`. The build puts the text in
 * the place of this module (`scripts/bundle.ts`), because finding it out takes a fifth of the time of a short script.
 */
export const lookaheadTable: string = describeLookahead();
