import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { declarations } from '../../cli/declarations.ts';
import { server } from '../../cli/declarations/options.ts';
import { configSchema } from '../../server/start/settings/config-file.ts';
import { root } from '../kit/tool.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const tool = read('docs/tool.md');
const readme = read('README.md');

test('the reference names every command, and every option that not all commands share', () => {
  const shared = ['--json', '--help'];
  const missing = declarations.flatMap(({ name, options }) => {
    const flags = options.map(([form]) => /--[a-z-]+/.exec(form)?.[0] ?? '').filter((flag) => !shared.includes(flag));
    const unnamed = flags.filter(
      (flag) => !tool.includes(flag) && !(flag === '--out' && tool.includes('-o generated')),
    );
    return [...(tool.includes(`\`${name}`) ? [] : [name]), ...unnamed.map((flag) => `${name} ${flag}`)];
  });
  assert.equal(missing, []);
});

test('the reference names every setting, and its variable', () => {
  const settings = Object.keys(configSchema().properties ?? {}).filter((name) => name !== '$schema');
  assert.equal(
    settings.filter((name) => !tool.includes(`\`${name}\``)),
    [],
  );
  const variables = server.flatMap(([form]) => {
    const flag = /--([a-z-]+)/.exec(form)?.[1] ?? '';
    return flag === 'config' ? ['SCHEMAC_CONFIG'] : [`SCHEMAC_${flag.replaceAll('-', '_').toUpperCase()}`];
  });
  assert.equal(
    variables.filter((name) => !tool.includes(name)),
    [],
  );
});

test('the blocks in the README are those of the example', () => {
  const shown = /```sql\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const schema = ['bike', 'read-models'].map((name) => read(`examples/bike-rental/schema/${name}.schema`)).join('\n');
  for (const statement of shown.split(/(?<=;)\n+/).filter((each) => each !== ''))
    assert.ok(schema.includes(statement), statement);
});

test.run();
