import { joinPath, type Disk } from '../disk.ts';

/** Written to a temporary name, synced and renamed, so that there is always the old one or the new one. */
export async function replaceFile(disk: Disk, directory: string, name: string, content: Uint8Array): Promise<void> {
  const made = joinPath(directory, `${name}.new`);
  if ((await disk.list(directory)).includes(`${name}.new`)) await disk.remove(made);
  const file = await disk.open(made, 'create');
  try {
    await file.write(content, 0);
    await file.sync();
    await file.close();
  } catch (error) {
    // On a full disk an incomplete one would take room that the log needs.
    await file.close().catch(() => undefined);
    await disk.remove(made).catch(() => undefined);
    throw error;
  }
  await disk.rename(made, joinPath(directory, name));
  await disk.syncDirectory(directory);
}
