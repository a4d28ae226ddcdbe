/** Inputs of every template about its module, besides the block. */
export interface ModuleFacts {
  readonly path: string;
  readonly head: readonly string[];
}
