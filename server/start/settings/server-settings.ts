import { resolve } from 'node:path';
import { pushProblems, type PushSettings } from '../../../runtime/delivery/webhook/allow-list.ts';
import { checkPolicy, type AuthPolicy } from '../../http/auth/policy.ts';
import type { ApiSettings, HttpSettings } from '../../http/settings.ts';
import type { ConfigFile } from './config-file.ts';
import { findLimits, type Limits } from './limits.ts';
import { SettingsFault } from './settings-fault.ts';

type JwtPolicy = NonNullable<AuthPolicy['jwt']>;
/** With the optional members of the file. */
type JwtSetting = Omit<JwtPolicy, 'rolesClaim'> & Partial<Pick<JwtPolicy, 'rolesClaim'>>;
type AuthSetting = Partial<Omit<AuthPolicy, 'jwt'>> & { readonly jwt?: JwtSetting };

/** The configuration of a server, with all limits. */
export type ServerSettings = HttpSettings & { readonly limits: Limits };

/** The configuration's `http` and `auth`, with the limits of the variables. The file's form was checked when it was read. */
export function serverSettings(
  config: ConfigFile,
  environment: Readonly<Record<string, string | undefined>>,
  { loopback = false }: { readonly loopback?: boolean } = {},
): ServerSettings {
  const http = (config.values['http'] ?? {}) as Partial<HttpSettings>;
  const auth = authPolicy(config);
  const api = apiSettings(config);
  return {
    allowedHosts: http.allowedHosts ?? [],
    allowedOrigins: http.allowedOrigins ?? [],
    metrics: http.metrics ?? 'here',
    ...(http.docsUrl !== undefined && { docsUrl: http.docsUrl }),
    limits: findLimits(config, environment),
    push: { ...pushSettings(config), loopback },
    ...(auth !== undefined && { auth }),
    ...(api !== undefined && { api }),
  };
}

/** The interface as the configuration describes it. OpenAPI allows one of the two ways to name a licence. */
export function apiSettings(config: ConfigFile): ApiSettings | undefined {
  const api = config.values['api'] as ApiSettings | undefined;
  const { identifier, url } = api?.license ?? {};
  if (identifier === undefined || url === undefined) return api;
  throw new SettingsFault(1, [
    `${config.path ?? 'configuration'}: 'api.license' takes 'identifier' or 'url', not both`,
  ]);
}

/** Addresses that webhooks may call: none without configuration. */
function pushSettings(config: ConfigFile): PushSettings {
  const given = (config.values['push'] ?? {}) as Partial<PushSettings>;
  const push = { ...given, allowedHosts: given.allowedHosts ?? [], allowedAddresses: given.allowedAddresses ?? [] };
  const problems = pushProblems(push);
  if (problems.length === 0) return push;
  throw new SettingsFault(
    1,
    problems.map((problem) => `${config.path ?? 'configuration'}: ${problem}`),
  );
}

/** The rights of callers; undefined without a policy. Throws a `SettingsFault` that names what is wrong. */
export function authPolicy(config: ConfigFile): AuthPolicy | undefined {
  const given = config.values['auth'] as AuthSetting | undefined;
  if (given === undefined) return undefined;
  const { jwt, ...rest } = given;
  const signed = jwt === undefined ? {} : { jwt: jwtPolicy(jwt, config.folder) };
  const policy: AuthPolicy = { tokens: [], roles: {}, ...rest, ...signed };
  const problems = checkPolicy(policy);
  if (problems.length > 0)
    throw new SettingsFault(
      1,
      problems.map((problem) => `${config.path ?? 'configuration'}: ${problem}`),
    );
  return policy;
}

function jwtPolicy(jwt: JwtSetting, folder: string): JwtPolicy {
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(jwt.jwks);
  return { ...jwt, rolesClaim: jwt.rolesClaim ?? 'roles', jwks: isUrl ? jwt.jwks : resolve(folder, jwt.jwks) };
}
