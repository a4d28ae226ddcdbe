import { metaRelations } from '../../../language/contract/meta-relations.ts';
import { fieldDoc, type Docs } from '../../../language/contract/docs.ts';
import type { Column } from '../../../language/contract/query.ts';
import { standingTables } from '../../../runtime/delivery/standing.ts';
import { accessColumns } from '../../operation/access/access-columns.ts';
import { logColumns } from '../../operation/follow/source.ts';
import type { RowsOf } from '../route.ts';
import type { Components } from './components.ts';
import type { DescribedDomain } from './described.ts';
import { described, withAll, type JsonSchema } from '../wire/json-schema.ts';
import { outcomeSchema } from './outcome-schemas.ts';
import { typeSchema } from './type-schema.ts';

/** The registered blocks that a path names. */
export interface Named {
  readonly aggregate?: DescribedDomain['aggregates'][number];
  readonly decision?: DescribedDomain['decisions'][number];
  readonly projection?: DescribedDomain['projections'][number];
  readonly subscription?: DescribedDomain['subscriptions'][number];
  readonly reaction?: DescribedDomain['reactions'][number];
}

/** The JSON Schema of one row of a table. */
export function rowsSchema(of: RowsOf, named: Named, domain: DescribedDomain, components: Components): JsonSchema {
  const { aggregate, decision, projection } = named;
  const schema = (name: string, part: () => object): JsonSchema => components.refer('schemas', name, part);
  switch (of) {
    case 'state':
      if (aggregate === undefined) break;
      return schema(`${aggregate.name}State`, () => rowSchema(shown(aggregate.stateColumns), aggregate.docs));
    case 'events':
      if (aggregate === undefined) break;
      return schema(`${aggregate.name}Event`, () => rowSchema(shown(aggregate.eventColumns)));
    case 'log':
      // Any JSON is also null.
      return schema('Event', () => rowSchema(logColumns(domain).map((column) => ({ ...column, nullable: false }))));
    case 'projection':
      if (projection === undefined) break;
      return schema(`${projection.name}Row`, () => rowSchema(shown(projection.columns), projection.docs));
    case 'outcome':
      if (decision === undefined) break;
      return schema(`${decision.command}Outcome`, () => outcomeSchema(decision, domain, components));
    case 'subscriptions':
    case 'reactions':
      return schema(of, () => rowSchema(standingTables[`meta_${of}`]));
    case 'access':
      return schema(of, () => rowSchema(accessColumns));
    case 'result':
      break;
    default:
      return schema(of, () => rowSchema(metaRelations.find(({ name }) => name === of)?.columns ?? []));
  }
  return {
    type: 'object',
    description: 'a column as a property; the columns are not known beforehand',
    additionalProperties: true,
  };
}

/** The columns of an answer: the columns of `*`, and the position of events. */
function shown(columns: readonly Column[]): readonly Column[] {
  return columns.filter(({ name, hidden }) => hidden !== true || name === 'global_position');
}

function rowSchema(columns: readonly Column[], docs?: Docs): JsonSchema {
  const schema = withAll(
    Object.fromEntries(
      columns.map(({ name, type, nullable, sensitive }) => [
        name,
        described(typeSchema(type, 'out', { nullable: nullable || sensitive, sensitive }), fieldDoc(docs, name)),
      ]),
    ),
  );
  return described(schema, docs?.block);
}
