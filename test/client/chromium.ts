import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { withTempFolder } from '../kit/temp-folder.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium of this machine: that in the variable `CHROMIUM`, else one on the path. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates =
    named === undefined ? folders.flatMap((folder) => names.map((name) => join(folder, name))) : [named];
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Opens a page in a headless browser, with its own profile, until `work` is done. */
export function withPage<T>(program: string, url: string, work: Promise<T>): Promise<T> {
  return withTempFolder(async (profile) => {
    const child = spawn(
      program,
      [
        '--headless=new',
        // Its sandbox needs rights that containers do not give; the page is the test's own.
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--no-first-run',
        `--user-data-dir=${profile}`,
        url,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    );
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const failed = ended.then(() => Promise.reject(new Error(`Chromium ended before the page was done: ${said}`)));
    try {
      return await Promise.race([work, failed]);
    } finally {
      failed.catch(() => undefined);
      // The browser and all of its processes are one group.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await ended;
    }
  });
}
