/**
 * The file name of a snapshot: `snapshot-<entry>-<hash>-<checksum>.db`, where the checksum is the CRC-32 of the file.
 */
export interface SnapshotName {
  readonly name: string;
  /** The last entry that the snapshot shows. */
  readonly entry: number;
  readonly checksum: number;
}

const pattern = /^snapshot-(\d{16})-[0-9a-f]{16}-([0-9a-f]{8})\.db$/;

export function snapshotName(entry: number, hash: string, checksum: number): string {
  return `snapshot-${String(entry).padStart(16, '0')}-${hash}-${checksum.toString(16).padStart(8, '0')}.db`;
}

/** The snapshots among the names of a directory, newest first. */
export function snapshotNames(names: readonly string[]): readonly SnapshotName[] {
  return names
    .flatMap((name): SnapshotName[] => {
      const match = pattern.exec(name);
      return match === null ? [] : [{ name, entry: Number(match[1]), checksum: Number.parseInt(match[2] ?? '', 16) }];
    })
    .sort((a, b) => b.entry - a.entry);
}
