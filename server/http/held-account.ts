/** The arithmetic of the budget of held results: what is charged to one caller or to everybody, and whether more fits. */

/** Results up to this size are served from a reserve that larger ones cannot take. */
export const smallResult = 1024 * 1024;
/** The part of a budget that is this reserve. */
const reserve = 1 / 8;

/** A piece that is sent may be there in so many copies. */
const copiesOfPiece = 4;

/** What a request is charged. */
export interface Charge {
  /** For its result. */
  readonly bytes: number;
  /** The result is being computed, and may turn out to be smaller. */
  readonly lent: boolean;
  /** For the piece of it that is being sent, as text and as bytes. */
  readonly sending: number;
}
export const nothing: Charge = { bytes: 0, lent: false, sending: 0 };

function isLarge({ bytes, sending }: Charge): boolean {
  return bytes > smallResult || sending > copiesOfPiece * smallResult;
}

export interface HeldAccount {
  /** Requests that it is kept for. */
  requests: number;
  readonly bytes: () => number;
  readonly replace: (before: Charge, after: Charge) => void;
  /** Whether one charge may take the place of another; with `later`, once no other request has anything lent. */
  readonly fits: (before: Charge, after: Charge, later: boolean) => boolean;
}

interface Sums {
  all: number;
  lent: number;
}

export function createHeldAccount(most: number): HeldAccount {
  const any: Sums = { all: 0, lent: 0 };
  const large: Sums = { all: 0, lent: 0 };
  const add = (charge: Charge, sign: 1 | -1): void => {
    const { bytes, lent, sending } = charge;
    for (const sums of isLarge(charge) ? [any, large] : [any]) {
      sums.all += sign * (bytes + sending);
      if (lent) sums.lent += sign * bytes;
    }
  };
  const held = (sums: Sums, later: boolean): number => sums.all - (later ? sums.lent : 0);
  return {
    requests: 0,
    bytes: () => any.all,
    replace: (before, after) => {
      add(before, -1);
      add(after, 1);
    },
    fits: (before, after, later) => {
      const bytes = after.bytes + after.sending;
      add(before, -1);
      const fits =
        held(any, later) + bytes <= most && (!isLarge(after) || held(large, later) + bytes <= most * (1 - reserve));
      add(before, 1);
      return fits;
    },
  };
}
