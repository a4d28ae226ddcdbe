/**
 * The newest pages of the log's end, for all followers that have caught up: a thousand of them with the same parameters read and
 * print what is new once.
 */
export interface SharedPages<Page extends { readonly bytes: Uint8Array }> {
  /** The page of this key, read if it is not there. A failed reading is not kept. */
  readonly get: (key: string, read: () => Promise<Page>) => Promise<Page>;
  readonly clear: () => void;
}

/** A page that followers still send is theirs; these are for those that come to it a little later. */
const mostPages = 256;
const mostBytes = 4 * 1024 * 1024;

export function createSharedPages<Page extends { readonly bytes: Uint8Array }>(): SharedPages<Page> {
  const pages = new Map<string, { readonly page: Promise<Page>; size: number }>();
  let size = 0;
  const drop = (key: string): void => {
    size -= pages.get(key)?.size ?? 0;
    pages.delete(key);
  };
  const trim = (): void => {
    for (const key of pages.keys()) {
      if (pages.size <= mostPages && size <= mostBytes) return;
      drop(key);
    }
  };
  return {
    get: (key, read) => {
      const known = pages.get(key);
      if (known !== undefined) return known.page;
      const entry = { page: read(), size: 0 };
      pages.set(key, entry);
      entry.page.then(
        ({ bytes }) => {
          if (pages.get(key) !== entry) return;
          entry.size = bytes.byteLength;
          size += entry.size;
          trim();
        },
        () => {
          if (pages.get(key) === entry) drop(key);
        },
      );
      return entry.page;
    },
    clear: () => {
      pages.clear();
      size = 0;
    },
  };
}
