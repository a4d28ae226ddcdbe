/** Small files that are written whole: a line of JSON, and a line with its CRC-32. */
import { crc32 } from 'node:zlib';
import { joinPath, type Disk } from '../disk.ts';

export function sealed<T extends { readonly format: number }>(content: T): string {
  const line = `${JSON.stringify(content)}\n`;
  return `${line}${checksumOf(line)}\n`;
}

/** Undefined when it is damaged, or has another format. */
export function unsealed<T extends { readonly format: number }>(text: string, format: T['format']): T | undefined {
  const end = text.indexOf('\n') + 1;
  if (end === 0 || text.slice(end) !== `${checksumOf(text.slice(0, end))}\n`) return undefined;
  const content = JSON.parse(text.slice(0, end)) as T; // the checksum is correct, so this is what was written
  return content.format === format ? content : undefined;
}

/** The checksum of a line, as files next to the log write it. */
export function checksumOf(line: string): string {
  return crc32(line).toString(16).padStart(8, '0');
}

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
