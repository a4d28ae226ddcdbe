/** Inputs of every template about its module, in addition to the block. */
export interface ModuleFacts {
  readonly path: string;
  readonly head: readonly string[];
}
