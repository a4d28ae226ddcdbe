/** Keeps the policy of a running server that of its configuration file. */
import { unwatchFile, watchFile, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import type { AuthPolicy } from '../http/auth/policy.ts';
import type { Log } from '../http/log/log.ts';
import { configFileName, loadConfigFile, type ConfigFile } from './settings/config-file.ts';
import { authPolicy } from './settings/server-settings.ts';

export interface PolicyFollowing {
  /** The file as it was read at the start. */
  readonly config: ConfigFile;
  readonly log: Log;
  /** Puts a policy in force; rejects, and changes nothing, if it cannot be. */
  readonly adopt: (policy: AuthPolicy) => Promise<void>;
}

/** Interval between looks at the file, and the wait after a change, in which further ones and signals are gathered. */
const lookMilliseconds = 1_000;
const gatherMilliseconds = 200;

/**
 * Reads the policy again when the file changes and on SIGHUP. The file is looked at by its path, so that a file in its place, also behind a
 * symbolic link, is a change. A file that cannot be read, or is not valid, changes nothing. Gives the function that ends it.
 */
export function followPolicy({ config, log, adopt }: PolicyFollowing): () => void {
  const path = config.path ?? resolve(config.folder, configFileName);
  let inForce = authPolicy(config);
  let others = otherSettings(config);
  let isAsked = false;
  let due: NodeJS.Timeout | undefined;
  let reading = Promise.resolve();

  const takePolicy = async (policy: AuthPolicy | undefined, asked: boolean): Promise<void> => {
    if (policy === undefined && inForce === undefined) {
      if (asked) log.info({}, `${path} has no policy, and this server needs none`);
    } else if (policy === undefined) throw new Error(`there is no policy in ${path} now`);
    else if (inForce === undefined)
      log.warn({}, `the policy in ${path} takes effect at the next start, because this server began without one`);
    else if (asked || JSON.stringify(policy) !== JSON.stringify(inForce)) {
      await adopt(policy);
      inForce = policy;
      log.info({}, `the policy in ${path} was read again, and is in force`);
    }
  };
  const readAgain = async (): Promise<void> => {
    const asked = isAsked;
    isAsked = false;
    try {
      const found = loadConfigFile(config.folder, config.path, () => '');
      await takePolicy(authPolicy(found), asked);
      const before = others;
      others = otherSettings(found);
      if (others !== before)
        log.warn({}, `settings in ${path} have changed; except for the policy, they take effect at the next start`);
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).replaceAll('\n', '; ');
      log.error({}, `the policy in force stays: ${reason}`);
    }
  };
  const readSoon = (): void => {
    due ??= setTimeout(() => {
      due = undefined;
      reading = reading.then(readAgain);
    }, gatherMilliseconds).unref();
  };
  const onChange = (now: Stats, before: Stats): void => {
    // A missing file is reported once although nothing changed.
    if (now.ino !== 0 || before.ino !== 0) readSoon();
  };
  const hadTerminal = isatty(0);
  const onHangup = (): void => {
    // The signal of a terminal that was closed ends the process, as without this listener. Node cannot exit then: it fails to reset the terminal.
    if (hadTerminal && !isatty(0)) {
      process.off('SIGHUP', onHangup);
      process.kill(process.pid, 'SIGHUP');
      return;
    }
    isAsked = true;
    readSoon();
  };

  watchFile(path, { persistent: false, interval: lookMilliseconds }, onChange);
  process.on('SIGHUP', onHangup);
  // The file may have changed while the server started.
  readSoon();
  return () => {
    clearTimeout(due);
    unwatchFile(path, onChange);
    process.off('SIGHUP', onHangup);
  };
}

/** All settings but the policy, as a text that can be compared. */
function otherSettings({ values }: ConfigFile): string {
  return JSON.stringify({ ...values, auth: undefined });
}
