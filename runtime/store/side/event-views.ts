import type { Domain } from '../../../language/contract/domain.ts';

/** Keeps the views of a log in step with its registry, where the log is in a database that others read. */
export interface EventViews {
  /** Shows a domain, whose registry has this number of schema entries. Returns at once; views that cannot be made now are tried again. */
  readonly show: (domain: Domain, schemaEntries: number) => void;
  /** Why they are behind, if they are. */
  readonly notes: () => readonly string[];
  readonly close: () => Promise<void>;
}
