import { subjectProblem } from '../../../language/contract/caller.ts';

/** The `auth` section of the configuration (docs/http.md#who-may-do-what). */
export interface AuthPolicy {
  readonly tokens: readonly StaticToken[];
  readonly jwt?: JwtPolicy;
  /** Lets requests without an `Authorization` header in, with the rights of these roles. */
  readonly anonymous?: { readonly roles: readonly string[] };
  /** Role to rights, `*` a wildcard inside them. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
}
export interface StaticToken {
  /** Hex SHA-256 of the token. */
  readonly sha256: string;
  readonly subject: string;
  readonly roles: readonly string[];
  /** Further facts about its holder, as a signed token has them. */
  readonly claims?: Readonly<Record<string, unknown>>;
}
export interface JwtPolicy {
  /** Path of a file, or an https URL. */
  readonly jwks: string;
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  /** The claim that lists the roles, or the path to it through objects. */
  readonly rolesClaim: string | readonly string[];
}

/** Algorithms of signatures that a policy may name. */
export const jwtAlgorithms: readonly string[] = ['RS256', 'ES256', 'EdDSA'];
/** Rights that are about no block. */
export const plainRights: readonly string[] = [
  ...['*', 'create', 'query', 'metrics', 'record', 'sensitive:read', 'rows:all'],
];

/** A role that the policy does not have grants nothing; a token may name roles of other services. */
export function grantsOf(policy: Pick<AuthPolicy, 'roles'>, roles: readonly string[]): readonly string[] {
  return roles.flatMap((role) => (Object.hasOwn(policy.roles, role) ? (policy.roles[role] ?? []) : []));
}

/** All problems of a policy, as sentences; empty when it is valid. */
export function checkPolicy(policy: AuthPolicy): readonly string[] {
  const known = new Set(Object.keys(policy.roles));
  const rights = Object.entries(policy.roles).flatMap(([role, list]) =>
    list.filter((right) => !isRight(right)).map((right) => `role '${role}' has an unknown right '${right}'`),
  );
  const tokens = policy.tokens.flatMap((token) => [
    ...(/^[0-9a-f]{64}$/i.test(token.sha256)
      ? []
      : [`the token of '${token.subject}' has no SHA-256 of 64 hex digits`]),
    ...unknownRoles(known, `'${token.subject}' has`, token.roles),
    ...[subjectProblem(token.subject)].filter((problem) => problem !== undefined),
  ]);
  const anonymous = unknownRoles(known, 'anonymous callers have', policy.anonymous?.roles ?? []);
  return [...rights, ...tokens, ...anonymous, ...(policy.jwt === undefined ? [] : checkJwt(policy.jwt))];
}

function unknownRoles(known: ReadonlySet<string>, whose: string, roles: readonly string[]): readonly string[] {
  return roles.filter((role) => !known.has(role)).map((role) => `${whose} an unknown role '${role}'`);
}

function isRight(right: string): boolean {
  return plainRights.includes(right) || /^(read|execute|subscribe|manage|inspect):[A-Za-z0-9_$.*]+$/.test(right);
}

function checkJwt(jwt: JwtPolicy): readonly string[] {
  const unknown = jwt.algorithms.filter((algorithm) => !jwtAlgorithms.includes(algorithm));
  return [
    ...unknown.map((algorithm) => `JWT algorithm '${algorithm}' is not among ${jwtAlgorithms.join(', ')}`),
    ...(jwt.algorithms.length === 0 ? [`jwt.algorithms names none of ${jwtAlgorithms.join(', ')}`] : []),
    ...(/^http:/i.test(jwt.jwks) ? ['jwt.jwks must be a file or an https URL'] : []),
    ...(jwt.issuer === '' ? ['jwt.issuer is empty'] : []),
    ...(jwt.audience === '' ? ['jwt.audience is empty'] : []),
    ...(jwt.rolesClaim.length === 0 ? ['jwt.rolesClaim is empty'] : []),
  ];
}

/**
 * Why the server must not listen on `host`, or undefined. Without a policy every caller may do everything, so the server listens only on
 * loopback unless configured otherwise.
 */
export function refusesListening(host: string, policy: AuthPolicy | undefined, insecure: boolean): string | undefined {
  if (policy !== undefined || insecure || isLoopback(host)) return undefined;
  return `refusing to listen on '${host}' without an auth policy; configure one, or pass --insecure`;
}

/** Whether only programs of this machine reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
