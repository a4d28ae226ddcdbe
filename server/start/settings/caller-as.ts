import { subjectProblem } from '../../../language/contract/caller.ts';
import type { Caller, Identity } from '../../operation/caller.ts';
import { checkJson, type JsonSchema } from './json-schema.ts';
import { SettingsFault } from './settings-fault.ts';

const flag = '--as';
const sample = `'{"subject":"ada","roles":["nurse"],"claims":{"clinic":"north"}}'`;

const form: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    subject: { type: 'string', minLength: 1 },
    roles: { type: 'array', items: { type: 'string', minLength: 1 } },
    claims: { type: 'object', additionalProperties: true },
  },
};

type Given = Partial<Identity> & { readonly subject?: string };

/** The caller that `--as` names, by its subject alone or as a JSON object. It may do what any caller may without a policy, but it has a name. */
export function callerAs(text: string): Caller {
  const { subject = null, roles = [], claims = {} } = text.startsWith('{') ? parsed(text) : { subject: text };
  const problem = subject === null ? undefined : subjectProblem(subject);
  if (problem !== undefined) throw fault([problem]);
  return { subject, rights: ['*'], except: ['sensitive:read', 'rows:all'], identity: { roles, claims } };
}

function parsed(text: string): Given {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fault([`this is not JSON; it takes a subject, or an object such as ${sample}`]);
  }
  const problems = checkJson(form, value, () => '', flag);
  if (problems.length > 0) throw new SettingsFault(2, problems);
  return value as Given;
}

function fault(problems: readonly string[]): SettingsFault {
  return new SettingsFault(
    2,
    problems.map((problem) => `${flag}: ${problem}`),
  );
}
