/** Which template made a block, and as which instance. */
export interface TemplateStamp {
  readonly template: string;
  readonly instance: string;
}
