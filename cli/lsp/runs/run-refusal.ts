/** Says in a sentence for the user why a request cannot be run. */
export class RunRefusal extends Error {}
