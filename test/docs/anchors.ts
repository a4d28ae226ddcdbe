/** The headings of a page as GitHub names them in links, and the links of a page. Takes Markdown, gives texts; fences are skipped. */

export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(page).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    let unique = anchor;
    for (let again = 1; anchors.has(unique); again++) unique = `${anchor}-${again}`;
    anchors.add(unique);
  }
  return anchors;
}

export interface Link {
  /** Empty for an anchor on the same page. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** Links to files and anchors of this repository, without links to other sites. */
export function linksOf(page: string): readonly Link[] {
  const text = withoutFences(page).replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return { path, anchor };
    });
}

function withoutFences(page: string): string {
  return page.replace(/^```[^]*?^```$/gm, '');
}
