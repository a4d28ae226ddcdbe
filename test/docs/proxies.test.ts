/** The sample configurations of docs/authentication, read by the programs that they are for, where these are installed. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfigFile } from '../../server/start/settings/config-file.ts';
import { authPolicy } from '../../server/start/settings/server-settings.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { root } from '../kit/tool.ts';

const samples = join(root, 'docs/authentication');
const read = (name: string): string => readFileSync(join(samples, name), 'utf8');

/** A test that needs a program, or says that it is not there. */
function testWith(program: string, what: string, work: () => void | Promise<void>): void {
  const isThere = spawnSync(program, ['-v']).error === undefined;
  if (isThere) test(what, work);
  else {
    process.stdout.write(`not run, because ${program} is not installed: ${what}\n`);
    test.skip(what, work);
  }
}

testWith('nginx', 'nginx takes its sample', () =>
  withTempFolder((folder) => {
    const [key, certificate] = [join(folder, 'k.pem'), join(folder, 'c.pem')];
    const subject = ['-subj', '/CN=example.org', '-keyout', key, '-out', certificate];
    const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject]);
    assert.is(made.status, 0, String(made.stderr));
    const text = read('nginx.conf').replace('/etc/ssl/example.pem', certificate).replace('/etc/ssl/example.key', key);
    assert.ok(text.includes(certificate) && text.includes(key));
    // Folders and files that nginx makes when it reads a configuration, in places where it may.
    const bodies = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`);
    const own = text.replace('http {', `http { access_log off; ${bodies.join(' ')}`);
    writeFileSync(join(folder, 'nginx.conf'), `pid ${join(folder, 'pid')};\n${own}`);
    const words = ['-t', '-q', '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
    const { status, stderr } = spawnSync('nginx', words, { encoding: 'utf8' });
    assert.equal([status, stderr], [0, '']);
  }),
);

testWith('caddy', 'Caddy takes its sample', () => {
  const words = ['validate', '--adapter', 'caddyfile', '--config', join(samples, 'Caddyfile')];
  const { status, stderr } = spawnSync('caddy', words, { encoding: 'utf8' });
  assert.is(status, 0, stderr);
});

test('the configuration beside them is valid, and names their hosts', () => {
  const config = loadConfigFile(samples, 'schemac.config.json', () => '');
  assert.equal(Object.keys(authPolicy(config)?.roles ?? {}), ['clerks', 'auditors']);
  const { allowedHosts } = config.values['http'] as { readonly allowedHosts: readonly string[] };
  for (const name of ['nginx.conf', 'Caddyfile'])
    assert.equal(
      allowedHosts.filter((host) => !read(name).includes(host)),
      [],
    );
});

test.run();
