import { fieldDoc } from '../../../language/contract/docs.ts';
import type { Components } from './components.ts';
import type { DescribedCommand, DescribedDomain } from './described.ts';
import { closed, described, text, textOrNull, withAll, type JsonSchema } from '../wire/json-schema.ts';
import { typeSchema } from './type-schema.ts';

/** The argument schema of a command, the same wherever a command is described. */
export function argumentSchema(command: Omit<DescribedCommand, 'name'>): JsonSchema {
  const unsaid = (command.checks ?? []).filter(({ field }) => field === undefined);
  const schema: JsonSchema = {
    type: 'object',
    required: command.fields.filter((field) => field.required).map((field) => field.name),
    additionalProperties: false,
    properties: Object.fromEntries(
      command.fields.map(({ name, type, nullable }) => [
        name,
        described(
          limitedSchema(typeSchema(type, 'in', { nullable }), { name, nullable }, command.checks ?? []),
          fieldDoc(command.docs, name),
        ),
      ]),
    ),
    ...(unsaid.length === 0 ? {} : { description: unsaid.map(checkText).join(', ') }),
  };
  return described(schema, command.docs?.block);
}

type Checks = NonNullable<DescribedCommand['checks']>;

function checkText({ text: condition, message }: Checks[number]): string {
  return `CHECK (${condition})${message === undefined ? '' : `: ${message}`}`;
}

/** The schema of a field with what its CHECKs say. NULL passes a CHECK. */
function limitedSchema(
  schema: JsonSchema,
  { name, nullable }: { readonly name: string; readonly nullable: boolean },
  checks: Checks,
): JsonSchema {
  const limits = checks.flatMap((check) => check.limits).filter((limit) => limit.field === name);
  const texts = checks.filter((check) => check.field === name).map(checkText);
  if (limits.length === 0 && texts.length === 0) return schema;
  const said = 'description' in schema ? [String(schema['description'])] : [];
  return {
    ...schema,
    ...(texts.length === 0 ? {} : { description: [...said, ...texts].join('; ') }),
    ...(limits.length === 0
      ? {}
      : {
          allOf: limits.map(({ keyword, value }) => ({
            [keyword]: nullable && typeof value === 'object' ? [...value, null] : value,
          })),
        }),
  };
}

/** A row of a command's answer: one of the events that its decision emits, or its rejection. */
export function outcomeSchema(
  { branches }: DescribedDomain['decisions'][number],
  domain: DescribedDomain,
  components: Components,
): JsonSchema {
  const emitted = [...new Set(branches.flatMap(({ events }) => events))];
  const refer = (name: string, part: () => object): JsonSchema => components.refer('schemas', name, part);
  return {
    // Its alternatives exclude each other; linters see that only of constants, and would refuse `oneOf`.
    anyOf: [
      ...emitted.map((name) =>
        refer(`${name}Emitted`, () =>
          emittedSchema(
            { const: name },
            refer(`${name}Payload`, () => payloadSchema(name, domain)),
          ),
        ),
      ),
      {
        description: 'An event of another type: a repeated answer, from an earlier definition of the decision',
        ...emittedSchema({ ...text, not: { enum: emitted } }, { type: 'object' }),
      },
      refer('Rejected', () => rejectedSchema),
    ],
  };
}

function emittedSchema(eventType: JsonSchema, payload: JsonSchema): JsonSchema {
  return closed({
    event_type: eventType,
    stream_id: text,
    seq: { type: 'integer', format: 'int64', minimum: 1 },
    status: { const: 'success' },
    fields: jsonText('the payload', payload),
  });
}

const rejectedSchema: JsonSchema = closed({
  event_type: { type: 'null' },
  stream_id: text,
  seq: { type: 'null' },
  status: { const: 'rejected' },
  fields: jsonText(
    'the failed guards of each branch, the state they saw, and the arguments',
    closed(
      {
        decision: text,
        guards: { type: 'array', items: closed({ branch: textOrNull, guard: textOrNull }) },
        state: { type: 'object', additionalProperties: true },
        command: { type: 'object', additionalProperties: true },
      },
      ['decision', 'guards', 'command'],
    ),
  ),
});

function jsonText(what: string, contentSchema: JsonSchema): JsonSchema {
  return { type: 'string', description: `JSON text: ${what}`, contentMediaType: 'application/json', contentSchema };
}

/** Every field is there, NULL if it was not assigned, if it is VOLATILE in a repeated answer, or if it is masked. */
function payloadSchema(name: string, { events }: DescribedDomain): JsonSchema {
  const event = events.find((one) => one.name === name);
  const schema = withAll(
    Object.fromEntries(
      (event?.fields ?? []).map(({ name: field, type, sensitive }) => [
        field,
        described(typeSchema(type, 'out', { nullable: true, sensitive }), fieldDoc(event?.docs, field)),
      ]),
    ),
  );
  return described(schema, event?.docs?.block);
}
