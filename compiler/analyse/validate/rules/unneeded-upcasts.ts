import { typeName } from '../../../../language/values/type.ts';
import { finding, type Rule } from '../finding.ts';

/** UPCAST clauses for shapes that no stored event has. */
export const unneededUpcasts: Rule = ({ blocks }) =>
  blocks.event.flatMap(({ name, upcasts = [] }) =>
    upcasts
      .filter(({ needed }) => needed === false)
      .map(({ event, fields }) => {
        const shape = fields.map((field) => `${field.name} ${typeName(field.type)}`).join(', ');
        return finding('E1010', `event ${name}`, {
          event: name,
          from: `${event === name ? '' : `EVENT ${event} `}(${shape})`,
        });
      }),
  );
