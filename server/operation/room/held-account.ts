/** The arithmetic of the budget of held results: the charges of each caller and of all together, and whether more fits. */

/** Results up to this size are served from a reserve that larger results cannot use. */
export const smallResult = 1024 * 1024;
/** The reserve as a part of the budget. */
const reserve = 1 / 8;

/** Copies of a piece that may exist while it is sent. */
const copiesOfPiece = 4;

/** The charge of a request. */
export interface Charge {
  /** For its result. */
  readonly bytes: number;
  /** The result is being computed, and may turn out to be smaller. */
  readonly lent: boolean;
  /** For the piece that is being sent, as text and as bytes. */
  readonly sending: number;
}
export const nothing: Charge = { bytes: 0, lent: false, sending: 0 };

function isLarge({ bytes, sending }: Charge): boolean {
  return bytes > smallResult || sending > copiesOfPiece * smallResult;
}

export interface HeldAccount {
  /** Number of requests that share the account. */
  requests: number;
  readonly bytes: () => number;
  readonly replace: (before: Charge, after: Charge) => void;
  /** Whether one charge may replace another; with `later`, once no other request has anything lent. */
  readonly fits: (before: Charge, after: Charge, later: boolean) => boolean;
}

interface Sums {
  all: number;
  lent: number;
}

function addTo(sums: Sums, { bytes, lent, sending }: Charge, sign: 1 | -1): void {
  sums.all += sign * (bytes + sending);
  if (lent) sums.lent += sign * bytes;
}

export function createHeldAccount(most: number): HeldAccount {
  const any: Sums = { all: 0, lent: 0 };
  const large: Sums = { all: 0, lent: 0 };
  const add = (charge: Charge, sign: 1 | -1): void => {
    addTo(any, charge, sign);
    if (isLarge(charge)) addTo(large, charge, sign);
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
