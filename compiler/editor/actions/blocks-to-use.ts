import type { Catalog } from '../../../language/catalog/catalog.ts';
import { blockKinds } from '../../../language/contract/block-kind.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import { typeName } from '../../../language/values/type.ts';
import type { Statement } from '../../syntax/ast.ts';
import { printName, printWord } from '../../syntax/print/words.ts';
import { behind, type Action } from './action.ts';
import { isSame, type GuessedField } from './guessed-type.ts';
import { fieldList } from './missing-block.ts';

/**
 * Offers the blocks without which a new block is not used: for a command its decision, for an event a command that
 * emits it, for an aggregate all of them.
 */
export function blocksToUse(statement: Statement, found: readonly Diagnostic[], catalog: Catalog): readonly Action[] {
  const made = madeFor(statement, catalog);
  if (made === undefined) return [];
  const about = found.find(({ code }) => code === made.code);
  const edits = [behind(statement.span, made.text)];
  return [{ title: made.title, edits, ...(about === undefined ? {} : { about }) }];
}

interface Made {
  readonly title: string;
  readonly text: string;
  /** Code of the finding that it repairs. */
  readonly code: string;
}

function madeFor(statement: Statement, catalog: Catalog): Made | undefined {
  const { aggregate, command, decision, event } = catalog.blocks;
  const [firstAggregate] = aggregate;
  switch (statement.kind) {
    case 'CreateCommand': {
      const block = command.find(({ name }) => isSame(name, statement.name.text));
      if (block === undefined || decision.some((each) => isSame(each.command, block.name))) return undefined;
      const others = block.fields.filter(({ name }) => name !== block.streamField);
      const made = freshNames(catalog, `${block.name}Done`, `Decide${block.name}`);
      const fields = others.map(({ name, type }) => ({ name, type: typeName(type) }));
      return {
        title: `create decision for command '${block.name}'`,
        code: 'E1001',
        text: `CREATE EVENT ${made[0]} ${fieldList(fields)};\n${decisionText(made[1], firstAggregate?.name ?? 'Aggregate', block.name, block.streamField, made[0], fields)}`,
      };
    }
    case 'CreateEvent': {
      const block = event.find(({ name }) => isSame(name, statement.name.text));
      const isEmitted = decision.some(({ branches }) =>
        branches.some(({ emits }) => emits.some((emit) => isSame(emit.event, statement.name.text))),
      );
      if (block === undefined || isEmitted) return undefined;
      const made = freshNames(catalog, `Make${block.name}`, `Decide${block.name}`);
      const fields = block.fields.map(({ name, type }) => ({ name, type: typeName(type) }));
      const id = fresh(
        'id',
        fields.map(({ name }) => name),
      );
      return {
        title: `create command and decision for event '${block.name}'`,
        code: 'E1002',
        text: `CREATE COMMAND ${made[0]} ${fieldList([{ name: id, type: 'STRING' }, ...fields])};\n${decisionText(made[1], firstAggregate?.name ?? 'Aggregate', made[0], id, block.name, fields)}`,
      };
    }
    case 'CreateAggregate': {
      const block = aggregate.find(({ name }) => isSame(name, statement.name.text));
      if (block === undefined || decision.some((each) => isSame(each.aggregate, block.name))) return undefined;
      const made = freshNames(catalog, `Create${block.name}`, `${block.name}Created`, `Decide${block.name}`);
      const id = block.keyField ?? `${block.name.toLowerCase()}_id`;
      return {
        title: `create command, event and decision for aggregate '${block.name}'`,
        code: 'E1003',
        text: `CREATE COMMAND ${made[0]} ${fieldList([{ name: id, type: 'STRING' }])};\nCREATE EVENT ${made[1]} ();\n${decisionText(made[2] ?? '', block.name, made[0], id, made[1], [])}`,
      };
    }
    default:
      return undefined;
  }
}

/** Decides once for a stream: the first thing that one changes. */
function decisionText(
  name: string,
  aggregate: string,
  command: string,
  id: string,
  event: string,
  fields: readonly GuessedField[],
): string {
  const assigned = fields.map((field) => `${printWord(field.name)} := :${printWord(field.name)}`).join(', ');
  return `CREATE DECISION ${name} FOR ${printName({ text: aggregate })} ON COMMAND ${printName({ text: command })}
STATE AS SELECT COUNT(*) AS events FROM Reg."${aggregate}$Events" WHERE stream_id = :${printWord(id)}
EMIT AS SELECT EVENT ${printName({ text: event })} (${assigned}) WHERE events = 0;
`;
}

/** The names, each with a number if a block has it already. */
function freshNames(
  catalog: Catalog,
  first: string,
  second: string,
  ...more: readonly string[]
): [string, string, ...string[]] {
  const taken = blockKinds.flatMap((kind) => catalog.blocks[kind].map(({ name }: { readonly name: string }) => name));
  return [fresh(first, taken), fresh(second, taken), ...more.map((name) => fresh(name, taken))];
}

function fresh(name: string, taken: readonly string[]): string {
  const isTaken = (candidate: string): boolean => taken.some((each) => isSame(each, candidate));
  let found = name;
  for (let number = 2; isTaken(found); number++) found = `${name}${number}`;
  return found;
}
