import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { CreateDecision, Emit, Name } from '../../syntax/ast.ts';
import { printName } from '../../syntax/print/words.ts';
import { findAll } from '../../syntax/walk.ts';
import { before, type Action } from './action.ts';
import { isSame, typeOfParameter, typeOfValue, type GuessedField } from './guessed-type.ts';

/** The blocks that a decision names and that do not exist, with the fields that it uses: each is put before the decision. */
export function missingBlocks(
  decision: CreateDecision,
  found: readonly Diagnostic[],
  catalog: Catalog,
): readonly Action[] {
  const emits = decision.branches.flatMap((branch) => branch.emits);
  const lost = found.filter(({ code }) => code === 'E0201');
  return lost.flatMap((about): readonly Action[] => {
    const is = (name: Name): boolean => name.span.start === about.span.start && name.span.end === about.span.end;
    const create = (kind: string, name: Name, text: string): readonly Action[] => [
      { title: `create ${kind} '${name.text}'`, about, edits: [before(decision.span, text)] },
    ];
    if (is(decision.command)) return create('command', decision.command, commandText(decision, catalog));
    const event = emits.find((emit) => is(emit.event))?.event;
    if (event !== undefined) return create('event', event, eventText(event, emits, decision, catalog));
    const aggregate = [decision.aggregate, ...emits.flatMap(({ to }) => to?.aggregate ?? [])].find(is);
    return aggregate === undefined ? [] : create('aggregate', aggregate, `CREATE AGGREGATE ${printName(aggregate)};\n`);
  });
}

/** The stream first: the first parameter of the STATE, or the first one of all if it may be an id, or one more field. */
function commandText(decision: CreateDecision, catalog: Catalog): string {
  const inState = decision.state === undefined ? [] : findAll(decision.state, 'BindParameter');
  const names = [...inState, ...findAll(decision, 'BindParameter')].map(({ name }) => name.text);
  const own = names.filter((name, index) => names.findIndex((other) => isSame(name, other)) === index);
  const fields = own.map((name) => ({ name, type: typeOfParameter(decision, name, catalog) }));
  const hasStream = fields[0]?.type === 'STRING';
  const id = own.some((name) => isSame(name, 'id')) ? 'stream' : 'id';
  const all = hasStream ? fields : [{ name: id, type: 'STRING' }, ...fields];
  return `CREATE COMMAND ${printName(decision.command)} ${fieldList(all)};\n`;
}

/** The fields that any branch assigns. */
function eventText(event: Name, emits: readonly Emit[], { command }: CreateDecision, catalog: Catalog): string {
  const fields: GuessedField[] = [];
  for (const { assignments } of emits.filter((emit) => isSame(emit.event.text, event.text)))
    for (const { field, value } of assignments)
      if (!fields.some(({ name }) => isSame(name, field.text)))
        fields.push({ name: field.text, type: typeOfValue(value, command.text, catalog) });
  return `CREATE EVENT ${printName(event)} ${fieldList(fields)};\n`;
}

export function fieldList(fields: readonly GuessedField[]): string {
  return `(${fields.map(({ name, type }) => `${printName({ text: name })} ${type}`).join(', ')})`;
}
