/**
 * Everything about casts, for analyser and printers: which there are, how each engine evaluates them, and literals. The meaning of each is
 * language/values/cast.ts.
 */
export { canCast, type CastMode } from './can-cast.ts';
export { printCastSqlite } from './cast-sqlite.ts';
export { printCastTypescript } from './cast-typescript.ts';
export { literalSqlite } from './literal.ts';
export { commonType, commonTypeOf } from './typing.ts';
