/** A store's reason in a form for callers: a system error of a failed write can name files of this machine. */
export function withoutPaths(reason: string): string {
  return reason.replaceAll(/(['"])(?:[A-Za-z]:)?[\\/].*?\1|(?<=^|[\s(])(?:[A-Za-z]:)?[\\/][^\s'",;)]+/g, '…');
}
