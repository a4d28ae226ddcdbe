/** A log with the registry that reads it: the beginning of exports and of checks of archives. */
import type { Domain } from '../../language/contract/domain.ts';
import type { OpenLog } from '../../runtime/store/transfer/open-log.ts';
import { registryFromLog } from '../registry/from-log/registry-from-log.ts';
import { createDomainLoader } from '../registry/load/domain-loader.ts';
import { surveyLog, type LogSurvey, type Wanted } from './survey-log.ts';

/** Reads the log once, for its registry and what `wanted` asks for, and loads the modules of the registry. */
export async function readLog(
  log: Pick<OpenLog, 'read'>,
  version: string,
  wanted: Wanted = {},
  onEntry: (entry: number) => void = () => undefined,
): Promise<{ readonly survey: LogSurvey; readonly domain: Domain }> {
  const survey = await surveyLog(log, wanted, onEntry);
  const { registry } = await registryFromLog({
    schema: () => survey.schema,
    eventKinds: () => Promise.resolve(survey.kinds),
  });
  return { survey, domain: await createDomainLoader({ version }).load(registry.catalog) };
}
