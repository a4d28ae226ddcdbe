import type { SourceFile } from '../../../compiler/index.ts';

/**
 * Plain data plus types that JSON lacks: whole numbers of any size, maps, and the text of a run, which would otherwise be repeated in every
 * span. Undefined members are omitted.
 */
export function encodeWire(value: unknown, file?: SourceFile): string {
  return JSON.stringify(value, function (this: unknown, _key: string, part: unknown) {
    if (typeof part === 'bigint') return { $whole: part.toString() };
    if (part instanceof Map) return { $map: [...part] };
    return file !== undefined && part === file ? { $file: true } : part;
  });
}

/** The value again; throws a SyntaxError if the line is not JSON. */
export function decodeWire(line: string, file?: SourceFile): unknown {
  return JSON.parse(line, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null) return part;
    if ('$whole' in part) return BigInt(String(part.$whole));
    if ('$map' in part) return new Map(part.$map as readonly [unknown, unknown][]);
    return '$file' in part ? file : part;
  });
}
