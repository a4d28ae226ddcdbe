import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GeneratedFile } from '../../compiler/emit/project/generated-file.ts';
import type { HttpSettings } from '../../server/http/settings.ts';
import { defaultLimits } from '../../server/start/settings/limits.ts';
import { runServer } from '../../server/start/run-server.ts';
import type {
  ClientOptions,
  CommandOptions,
  EventOptions,
  Followed,
  FollowOptions,
  Rows,
  Subscribed,
  TableOptions,
} from '../../client/options.ts';
import type { Inspect, Rehearsal, RehearseOptions } from '../../client/inspect.ts';
import { projectOf } from '../emit/compiled.ts';
import { importDomain } from '../emit/generated-project.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { root } from '../kit/tool.ts';
import { purse } from './purse.ts';

export interface PurseEvent {
  readonly stream_id: string;
  readonly event_type: string;
  readonly data: object;
  readonly global_position: bigint;
}
type Send = (command: object, given?: CommandOptions) => Promise<object>;
type Read<Options> = (given?: Options) => Rows<object>;

/** The called functions of the client of `purse.ts`; generated types are checked elsewhere. */
export interface PurseClient {
  readonly commands: { readonly Pay: Send; readonly Close: Send };
  readonly state: { readonly Purse: Read<TableOptions<Record<string, unknown>>> };
  readonly events: { readonly Purse: Read<EventOptions> };
  readonly follow: Readonly<Record<'Purse' | '$all', (given?: FollowOptions) => Followed<PurseEvent>>>;
  readonly subscriptions: { readonly Payments: Subscribed<object> };
  readonly projections: {
    readonly Totals: Read<TableOptions<Record<string, unknown>>>;
    readonly Payloads: Read<TableOptions<Record<string, unknown>>>;
  };
  readonly inspect: {
    readonly Pay: Inspect<object, object>;
  };
  readonly rehearse: (given: RehearseOptions<string>) => Promise<Rehearsal>;
}

export interface Served<Client> {
  readonly url: string;
  /** The folder of the generated files, in which apache-arrow is found too. */
  readonly folder: string;
  /** Adds the server's address to the options. */
  readonly createClient: (options?: Partial<ClientOptions>) => Client;
}

const project = projectOf(purse);

/** Serves `purse.ts` from memory on a free port, and passes its client to `work`. */
export async function withServedClient(
  work: (served: Served<PurseClient>) => Promise<void>,
  settings: Partial<Omit<HttpSettings, 'limits'>> = {},
): Promise<void> {
  return withServedProject(await project, work, settings);
}

/** Serves the generated files of a schema in the same way. */
export function withServedProject<Client>(
  files: readonly GeneratedFile[],
  work: (served: Served<Client>) => Promise<void>,
  settings: Partial<Omit<HttpSettings, 'limits'>> = {},
): Promise<void> {
  return withTempFolder(async (folder) => {
    const domain = await importDomain(folder, files);
    symlinkSync(join(root, 'node_modules/apache-arrow'), join(folder, 'node_modules/apache-arrow'), 'dir');
    mkdirSync(join(folder, 'data'));
    const nothing = (): void => undefined;
    const server = await runServer({
      domain,
      version: '0.0.0',
      store: { kind: 'memory' },
      host: '127.0.0.1',
      port: 0,
      readOnly: false,
      enableCreate: false,
      enableQuery: true,
      enableInspect: true,
      settings: { allowedHosts: [], allowedOrigins: [], metrics: 'here', limits: defaultLimits, ...settings },
      log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    });
    try {
      const url = `http://127.0.0.1:${server.port}`;
      const { createClient } = (await import(pathToFileURL(join(folder, 'client.js')).href)) as {
        readonly createClient: (options: ClientOptions) => Client;
      };
      await work({ url, folder, createClient: (options = {}) => createClient({ baseUrl: url, ...options }) });
    } finally {
      await server.stop();
    }
  });
}
