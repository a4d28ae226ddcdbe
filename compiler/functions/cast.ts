/**
 * Everything about casts, for analyser and printers: the list of casts, their evaluation on each engine, and literals. The meaning of each
 * is in language/values/cast.ts.
 */
export { canCast, type CastMode } from './can-cast.ts';
export { printCastSqlite } from './cast-sqlite.ts';
export { printCastTypescript } from './cast-typescript.ts';
export { literalSqlite } from './literal.ts';
export { commonType, commonTypeOf } from './typing.ts';
