import type { Catalog } from '../../language/catalog/catalog.ts';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import { nearestNames, suggestion } from '../../language/diagnostics/suggestion.ts';
import type { ConfigFile } from '../../server/start/settings/config-file.ts';
import type { Output } from '../shell.ts';

/** Parts of the configuration's policy that have no effect on the blocks. */
export async function configurationWarnings(config: ConfigFile, catalog: Catalog): Promise<readonly string[]> {
  if (config.values['auth'] === undefined) return [];
  const { authPolicy } = await import('../../server/start/settings/server-settings.ts');
  const { policyWarnings } = await import('../../server/http/auth/policy-warnings.ts');
  const policy = authPolicy(config);
  if (policy === undefined) return [];
  const { rolesNamed } = await import('../../compiler/index.ts');
  const { aggregate: aggregates, projection: projections, decision: decisions } = catalog.blocks;
  const { subscription: subscriptions, reaction: reactions } = catalog.blocks;
  const roles = rolesNamed(catalog);
  const names = { aggregates, projections, decisions, subscriptions, reactions, roles };
  const found = policyWarnings(policy, names, (right, known) => suggestion(nearestNames(right, known)));
  return found.map((warning) => `${config.path ?? 'configuration'}: ${warning}`);
}

export function showWarnings(messages: Output, warnings: readonly string[]): void {
  for (const warning of warnings) messages.write(`warning: ${visibleText(warning)}\n`);
}
