import type { CommandBlock, CommandCheck } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { isSoundText } from '../../../language/values/text.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Allow, Check, CreateCommand } from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print.ts';
import { bindCondition } from '../expression/bind-condition.ts';
import type { BlockContext } from '../environment/environment.ts';
import type { ExpressionContext, Site } from '../query/binding.ts';
import { createBinding } from '../query/create-binding.ts';
import { emptyScope, type Scope } from '../query/scope.ts';
import { limitsOf } from './field-limits.ts';

const site: Site = { where: 'CHECK', aggregates: 'refused', windows: false, queries: false, sensitive: 'masked' };

/** The CHECKs of a command, those of its fields first: conditions over its fields alone (docs/language.md#command). */
export function checksOf(
  tree: CreateCommand,
  fields: CommandBlock['fields'],
  { environment, report }: BlockContext,
): readonly CommandCheck[] {
  const binding = createBinding(environment, report, { fixed: 'CHECK' });
  const context: ExpressionContext = { binding, scope: argumentsOf(tree, fields), site };
  const check = ({ condition, message }: Check, field?: string): CommandCheck => {
    const bound = bindCondition(condition, context);
    checkMessage(message, report);
    return {
      text: printExpression(condition),
      ...(message === undefined ? {} : { message: message.value }),
      ...(field === undefined ? {} : { field }),
      condition: bound,
      limits: limitsOf(bound),
    };
  };
  return [
    ...tree.fields.flatMap(({ name, checks }) => checks.map((one) => check(one, name.text))),
    ...tree.checks.map((one) => check(one)),
  ];
}

/** ALLOW of a command: a condition over its arguments, the caller and the time (docs/callers.md#allow). */
export function allowOf(
  { condition, message }: Allow,
  tree: CreateCommand,
  fields: CommandBlock['fields'],
  { environment, report }: BlockContext,
): NonNullable<CommandBlock['allow']> {
  const binding = createBinding(environment, report, { fixed: 'ALLOW', callers: 'before columns' });
  const bound = bindCondition(condition, {
    binding,
    scope: argumentsOf(tree, fields),
    site: { ...site, where: 'ALLOW' },
  });
  checkMessage(message, report);
  return {
    text: printExpression(condition),
    condition: bound,
    ...(message === undefined ? {} : { message: message.value }),
  };
}

/** The fields of a command, which are the only names. */
function argumentsOf(tree: CreateCommand, fields: CommandBlock['fields']): Scope {
  return {
    ...emptyScope,
    inputs: {
      kind: 'command',
      name: tree.name.text,
      inputs: fields.map(({ name, type, nullable, sensitive }) => ({
        kind: 'argument',
        name,
        type,
        nullable,
        sensitive,
      })),
      open: fields.length < tree.fields.length,
    },
  };
}

function checkMessage(message: Check['message'], report: Report): void {
  const problem = message === undefined ? undefined : messageProblem(message.value);
  if (message !== undefined && problem !== undefined) report(diagnose('E0434', message.span, { problem }));
}

const mostCharacters = 500;

/** Why a text cannot be a MESSAGE; undefined if it can. It becomes a line of an answer, so it is one line. */
function messageProblem(text: string): string | undefined {
  if (text.trim() === '') return 'it is empty';
  if (!isSoundText(text) || /\p{Cc}/u.test(text)) return 'it has a control character or half a surrogate pair';
  return Array.from(text).length > mostCharacters ? `it has more than ${mostCharacters} characters` : undefined;
}
