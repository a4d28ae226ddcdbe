export interface Choice {
  readonly label: string;
  readonly kind:
    | 'value'
    | 'keyword'
    | 'block'
    | 'field'
    | 'column'
    | 'relation'
    | 'function'
    | 'type'
    | 'parameter'
    | 'snippet';
  readonly insert: string;
  /** `insert` has stops, as `${1:name}`; without support for them it is not offered. */
  readonly stops?: true;
  /** A type, or another short text that is shown next to the label. */
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
}
