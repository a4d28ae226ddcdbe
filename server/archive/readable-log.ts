/** A log and its aggregates as its registry reads them: what exports and checks of archives begin with. */
import type { OpenLog } from '../../runtime/store/transfer/open-log.ts';
import { registryFromLog } from '../registry/from-log/registry-from-log.ts';
import { createDomainLoader } from '../registry/load/domain-loader.ts';
import { readableAggregates, type ReadableAggregate } from './readable-aggregate.ts';
import { surveyLog, type LogSurvey, type Wanted } from './survey-log.ts';

export interface ReadableLog {
  readonly survey: LogSurvey;
  readonly aggregates: readonly ReadableAggregate[];
}

export async function readLog(
  log: OpenLog,
  wanted: Wanted,
  {
    version,
    clear,
    onEntry,
  }: { readonly version: string; readonly clear: boolean; readonly onEntry: (entry: number) => void },
): Promise<ReadableLog> {
  const survey = await surveyLog(log, wanted, onEntry);
  const store = { schema: () => survey.schema, eventKinds: () => Promise.resolve(survey.kinds) };
  const { registry } = await registryFromLog(store);
  const domain = await createDomainLoader({ version }).load(registry.catalog);
  return { survey, aggregates: readableAggregates(domain, clear) };
}
