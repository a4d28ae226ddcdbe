/** A sentence for the user: what is asked cannot be run as it is. */
export class RunRefusal extends Error {}
