import type { QueryParameter } from '../../../language/contract/query.ts';
import { sqliteParameter } from '../../../language/sqlite/value.ts';
import type { Type } from '../../../language/values/type.ts';

/** Numbers the parameters of one statement in the order of their first use. */
export interface Parameters {
  readonly all: readonly QueryParameter[];
  readonly print: (name: string, type: Type) => string;
}

export function createParameters(): Parameters {
  const all: QueryParameter[] = [];
  return {
    all,
    print: (name, type) => {
      let index = all.findIndex((parameter) => parameter.name === name);
      if (index === -1) index = all.push({ name, type }) - 1;
      return sqliteParameter(index + 1, type);
    },
  };
}
