import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ExitFault } from '../../cli/exit-fault.ts';
import { configSchema } from '../../server/start/settings/config-file.ts';
import type { JsonSchema } from '../../server/start/settings/json-schema.ts';
import { resolveSettings, type Flags, type Settings } from '../../cli/settings/settings.ts';
import { type Output, type Shell, wantsColour } from '../../cli/shell.ts';
import { defaultLimits, findLimits } from '../../server/start/settings/limits.ts';
import type { SettingsFault } from '../../server/start/settings/settings-fault.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';

const silent: Output = {
  write: () => undefined,
  drained: () => Promise.resolve(),
  closed: () => false,
  terminal: false,
  colour: false,
  width: () => undefined,
};
function shell(cwd: string, environment: Record<string, string> = {}): Shell {
  const stopSignal = (): AbortSignal => new AbortController().signal;
  return {
    cwd,
    environment,
    input: Readable.from([]),
    output: silent,
    screen: process.stdout,
    messages: silent,
    stopSignal,
  };
}

interface Given {
  readonly flags?: Flags;
  readonly environment?: Record<string, string>;
  readonly file?: string;
}
async function resolved({ flags = {}, environment, file }: Given): Promise<Omit<Settings, 'config'>> {
  return withTempFolder((folder) => {
    if (file !== undefined) writeFiles(folder, { 'schemac.config.json': file });
    const { config: _, ...settings } = resolveSettings(shell(folder, environment), flags);
    const relative = JSON.stringify(settings).replaceAll(`${folder}/`, '');
    return JSON.parse(relative) as Omit<Settings, 'config'>;
  });
}
async function fault(given: Given): Promise<string> {
  try {
    await resolved(given);
    return 'nothing was refused';
  } catch (error) {
    const { status, message } = error as ExitFault;
    return `${status} ${message.replace(/\/\S*\/schemac\.config\.json/g, 'FILE')}`;
  }
}

const precedence: [name: string, given: Given, settings: object][] = [
  ['nothing said', {}, {}],
  ['a session’s data: a flag', { flags: { data: 'd' } }, { data: 'd', sessionData: 'd' }],
  ['a session’s data: a variable', { environment: { SCHEMAC_DATA: 'd' } }, { data: 'd', sessionData: 'd' }],
  ['a file', { file: '{"port": 1, "data": "d", "readOnly": true}' }, { port: 1, data: 'd', readOnly: true }],
  ['a variable wins over the file', { file: '{"port": 1}', environment: { SCHEMAC_PORT: '2' } }, { port: 2 }],
  [
    'a flag wins over a variable',
    { flags: { port: '3' }, environment: { SCHEMAC_PORT: '2' }, file: '{"port": 1}' },
    { port: 3 },
  ],
  [
    'a switch can be turned off by a variable',
    { file: '{"readOnly": true}', environment: { SCHEMAC_READ_ONLY: '0' } },
    { readOnly: false },
  ],
  ['an empty variable says nothing', { file: '{"host": "h"}', environment: { SCHEMAC_HOST: '' } }, { host: 'h' }],
  ['zero is a port', { flags: { port: '0' }, file: '{"port": 1}' }, { port: 0 }],
  ['files or log', { flags: { accept: 'log' } }, { accept: 'log' }],
];
for (const [name, given, settings] of precedence) {
  test(name, async () => assert.equal(await resolved(given), settings));
}

test('paths of the file start at its folder, others at the working directory', () =>
  withTempFolder((folder) => {
    writeFiles(folder, { 'conf/c.json': '{"data": "d", "out": "../o"}' });
    const named = resolveSettings(shell(folder), { config: 'conf/c.json' });
    assert.is(named.data, join(folder, 'conf/d'));
    assert.is(named.out, join(folder, 'o'));
    assert.is(resolveSettings(shell(folder, { SCHEMAC_CONFIG: 'conf/c.json' }), { data: 'd' }).data, join(folder, 'd'));
  }));

const faults: [name: string, given: Given, message: string][] = [
  ['an unknown key', { file: '{"prt": 1}' }, "1 FILE: there is no setting 'prt'; did you mean 'port'?"],
  [
    'every fault of the file',
    { file: '{"port": 70000, "http": {"limit": {}}, "accept": "both", "schema": "x"}' },
    `1 FILE: 'port' takes a whole number from 0 to 65535
FILE: there is no setting 'http.limit'; did you mean 'limits'?
FILE: 'accept' takes 'files' or 'log', not 'both'
FILE: 'schema' takes a list`,
  ],
  [
    'a token that is no hash, a missing key',
    { file: '{"auth": {"tokens": [{"sha256": "x", "subject": "s", "roles": []}]}}' },
    "1 FILE: 'auth.roles' is missing\nFILE: 'auth.tokens[0].sha256' is not SHA-256 of the token, as 64 hex digits.",
  ],
  [
    'addresses that are none',
    {
      file: '{"api": {"contact": {"email": "me"}, "license": {"name": "X", "url": "x.org"}, "servers": ["https://x.org/"]}}',
    },
    `1 FILE: 'api.contact.email' is not an e-mail address
FILE: 'api.license.url' is not an http or https URL of the licence's text
FILE: 'api.servers[0]' is not an http or https URL without a slash at the end`,
  ],
  [
    'a key that objects have anyway',
    { file: '{"constructor": 1, "__proto__": 1}' },
    "1 FILE: there is no setting 'constructor'\nFILE: there is no setting '__proto__'",
  ],
  [
    'a place for metrics that is none',
    { file: '{"http": {"metrics": "there"}}' },
    "1 FILE: 'http.metrics' takes 'here' or 'off', not 'there'",
  ],
  [
    'a port for metrics that is none',
    { file: '{"http": {"metrics": {"port": 70000, "host": "x"}}}' },
    "1 FILE: 'http.metrics.port' takes a whole number from 0 to 65535\nFILE: there is no setting 'http.metrics.host'",
  ],
  ['metrics without a port', { file: '{"http": {"metrics": {}}}' }, "1 FILE: 'http.metrics.port' is missing"],
  [
    'metrics of another type',
    { file: '{"http": {"metrics": 9100}}' },
    "1 FILE: 'http.metrics' takes 'here' or 'off' or an object",
  ],
  ['no object', { file: '[]' }, '1 FILE: the file takes an object'],
  [
    'a file that is not there',
    { flags: { config: '/nowhere/schemac.config.json' } },
    '1 there is no configuration file FILE',
  ],
  ['a port that is none', { flags: { port: '80x' } }, "2 --port takes a port from 0 to 65535, not '80x'"],
  [
    'a variable that is no port',
    { environment: { SCHEMAC_PORT: '70000' } },
    "2 SCHEMAC_PORT takes a port from 0 to 65535, not '70000'",
  ],
  [
    'a switch that is none',
    { environment: { SCHEMAC_INSECURE: 'perhaps' } },
    "2 SCHEMAC_INSECURE takes true or false, not 'perhaps'",
  ],
  ['neither files nor log', { flags: { accept: 'x' } }, "2 --accept takes 'files' or 'log', not 'x'"],
];
for (const [name, given, message] of faults)
  test(`refused: ${name}`, async () => assert.is(await fault(given), message));

test('refused: text that is not JSON, with the position', async () => {
  assert.is(await fault({ file: '{\n  "port": }' }), '1 FILE:2:11 is not JSON: this is no JSON value');
});

test('the published schema lists every limit with its default', () => {
  const limits = configSchema().properties?.['http']?.properties?.['limits']?.properties ?? {};
  const defaults = Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, limit.default]));
  assert.equal(defaults, { ...defaultLimits });
});

test('limits: a variable overrides the file, which overrides the default', () =>
  withTempFolder((folder) => {
    writeFiles(folder, { 'schemac.config.json': '{"http": {"limits": {"consoleRows": 5, "eventBytes": 7}}}' });
    const limits = (environment: Record<string, string>): unknown =>
      findLimits(resolveSettings(shell(folder), {}).config, environment);
    assert.equal(limits({ SCHEMAC_LIMIT_CONSOLE_ROWS: '6', SCHEMAC_LIMIT_JSON_DEPTH: '' }), {
      ...defaultLimits,
      consoleRows: 6,
      eventBytes: 7,
    });
    const refused: readonly (readonly [variable: string, value: string, told: string])[] = [
      ['CONSOLE_ROWS', '100001', "'SCHEMAC_LIMIT_CONSOLE_ROWS' takes a whole number from 1 to 100000"],
      ['CONSOLE_ROWS', '1e3', "'SCHEMAC_LIMIT_CONSOLE_ROWS' takes a whole number from 1 to 100000"],
      ['CONSOLE_ROWS', '-1', "'SCHEMAC_LIMIT_CONSOLE_ROWS' takes a whole number from 1 to 100000"],
      ['ROWS', '1', "there is no limit named 'SCHEMAC_LIMIT_ROWS'"],
      ['__PROTO__', '1', "there is no limit named 'SCHEMAC_LIMIT___PROTO__'"],
    ];
    for (const [variable, value, told] of refused)
      assert.throws(
        () => limits({ [`SCHEMAC_LIMIT_${variable}`]: value }),
        (error: SettingsFault) => error.status === 2 && error.message === told,
      );
  }));

test('every setting of the published schema has a description', () => {
  const silentOnes: string[] = [];
  const visit = (schema: JsonSchema, path: string): void => {
    if (schema.description === undefined) silentOnes.push(path);
    for (const [key, item] of Object.entries(schema.properties ?? {})) visit(item, `${path}.${key}`);
  };
  visit(configSchema(), '');
  assert.equal(silentOnes, []);
});

const colours: [environment: Record<string, string>, parameters: string[], terminal: boolean, expected: boolean][] = [
  [{}, [], true, true],
  [{}, [], false, false],
  [{ NO_COLOR: '1' }, [], true, false],
  [{ NO_COLOR: '' }, [], true, true],
  [{ FORCE_COLOR: '1' }, [], false, true],
  [{ FORCE_COLOR: '0' }, [], true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, [], false, false],
  [{ TERM: 'dumb' }, [], true, false],
  [{ NO_COLOR: '1' }, ['--color'], false, true],
  [{ FORCE_COLOR: '1' }, ['check', '--no-color'], true, false],
  [{}, ['--no-color', '--color'], false, true],
  [{}, ['run', '--', '--no-color'], true, true],
];
for (const [environment, parameters, terminal, expected] of colours) {
  test(`colour: ${JSON.stringify(environment)} ${parameters.join(' ')} ${terminal ? 'terminal' : 'pipe'}`, () =>
    assert.is(wantsColour(environment, parameters, terminal), expected));
}

test.run();
