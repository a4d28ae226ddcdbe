import { resolve } from 'node:path';
import { checkPolicy, type AuthPolicy } from '../../http/auth/policy.ts';
import { defaultLimits, type HttpLimits, type HttpSettings } from '../../http/settings.ts';
import type { ConfigFile } from './config-file.ts';
import { SettingsFault } from './settings-fault.ts';

type JwtPolicy = NonNullable<AuthPolicy['jwt']>;
/** What the file may leave out. */
type JwtSetting = Omit<JwtPolicy, 'rolesClaim'> & { readonly rolesClaim?: string };
type AuthSetting = Partial<Omit<AuthPolicy, 'jwt'>> & { readonly jwt?: JwtSetting };

/** The configuration's `http` and `auth`, as the HTTP layer takes them. The file's form was checked when it was read. */
export function httpSettings(config: ConfigFile): HttpSettings {
  const http = (config.values['http'] ?? {}) as Partial<Omit<HttpSettings, 'limits'>> & {
    readonly limits?: Partial<HttpLimits>;
  };
  const auth = authPolicy(config);
  return {
    allowedHosts: http.allowedHosts ?? [],
    allowedOrigins: http.allowedOrigins ?? [],
    metrics: http.metrics ?? 'here',
    limits: { ...defaultLimits, ...http.limits },
    ...(auth === undefined ? {} : { auth }),
  };
}

function authPolicy(config: ConfigFile): AuthPolicy | undefined {
  const given = config.values['auth'] as AuthSetting | undefined;
  if (given === undefined) return undefined;
  const { tokens = [], roles = {}, jwt } = given;
  const policy: AuthPolicy = { tokens, roles, ...(jwt === undefined ? {} : { jwt: jwtPolicy(jwt, config.folder) }) };
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
