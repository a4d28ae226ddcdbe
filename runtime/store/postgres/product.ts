/**
 * The number of the versions of this product that decide as this one does, so that their servers can append to one log at the same time. As
 * semantic versioning has it, the first number of a version changes with what it does, and before 1.0 the second. Increases with the
 * version.
 */
export function lineOfVersion(version: string): number {
  const [, major = '0', minor = '0'] = /^(\d{1,4})\.(\d{1,4})\./.exec(version) ?? [];
  return Number(major) === 0 ? Number(minor) : Number(major) * 10_000;
}
