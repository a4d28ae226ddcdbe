import { ExactNumber, type JsonObject, type JsonValue } from '../../../language/values/json.ts';
import { canonicalText } from '../../expectations/exact-json.ts';
import { readExactJson } from '../../../language/values/json-parse.ts';
import { isList, isObject } from '../../../language/values/json.ts';

/** The result of a statement of `run --json`, in a few words behind it. */
export interface OutcomeLabel {
  /** From 1: where the statement begins. */
  readonly line: number;
  readonly label: string;
}

const mostCharacters = 120;

export function outcomeLabels(stdout: string): readonly OutcomeLabel[] {
  return stdout.split('\n').flatMap((text): readonly OutcomeLabel[] => {
    const outcome = text === '' ? undefined : readExactJson(text);
    if (outcome === undefined || !isObject(outcome)) return [];
    const line = outcome.get('statement_line');
    return line instanceof ExactNumber ? [{ line: Number(line.text), label: shortened(labelOf(outcome)) }] : [];
  });
}

function labelOf(outcome: JsonObject): string {
  const word = (key: string): string => textOf(outcome.get(key));
  switch (word('kind')) {
    case 'execute':
      return executed(outcome);
    case 'error':
      return `${word('code')}: ${word('message')}`;
    case 'inspect':
      return outcome.has('overdue')
        ? `${word('rows')} rows, ${word('overdue')} due already`
        : `${word('rows')} rows, ${word('rejected')} rejected`;
    case 'create':
    case 'drop':
      return word('change');
    case 'apply':
      return 'applied';
    case 'export':
      return 'exported';
    default:
      return table(outcome);
  }
}

function executed(outcome: JsonObject): string {
  const events = listOf(outcome.get('events')).flatMap((event) => (isObject(event) ? [event] : []));
  const shown = events.map((event) => `${textOf(event.get('event_type'))} ${canonicalText(event.get('data') ?? null)}`);
  const rejection = outcome.get('rejection');
  const [said] = listOf(isObject(rejection) ? rejection.get('guards') : undefined);
  const why = said !== undefined && isObject(said) ? `: not ${textOf(said.get('guard'))}` : '';
  return `${textOf(outcome.get('outcome'))}${shown.length > 0 ? ` ${shown.join(', ')}` : why}`;
}

function table(outcome: JsonObject): string {
  const rows = listOf(outcome.get('rows'));
  const [first] = rows;
  if (first === undefined) return 'no rows';
  const shown = listOf(first).map((value) => (typeof value === 'string' ? value : canonicalText(value)));
  return rows.length === 1 ? shown.join(' | ') : `${rows.length} rows: ${shown.join(' | ')}; …`;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isList(value) ? value : [];
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : canonicalText(value);
}

function shortened(label: string): string {
  return label.length > mostCharacters ? `${label.slice(0, mostCharacters - 1)}…` : label;
}
