/** The limits of an inspection over HTTP (docs/http.md#limits). */
export interface InspectLimits {
  readonly inspectMilliseconds: number;
  /** Inspections that run at once. */
  readonly inspections: number;
  /** Inspections that may wait for those. */
  readonly inspectionsWaiting: number;
}

/** The limits without configuration. */
export const defaultInspectLimits: InspectLimits = {
  inspectMilliseconds: 30_000,
  inspections: 2,
  inspectionsWaiting: 8,
};
