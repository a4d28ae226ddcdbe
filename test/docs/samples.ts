/** The samples of a page: fences marked `schema` or `sql`, in order. Takes Markdown, gives texts; runs nothing. */

export interface Sample {
  readonly text: string;
  /** Line of the page at which the text begins, from 1. */
  readonly line: number;
  /** The code that the sample must fail with. */
  readonly error?: string;
}

/** The file with which a page's samples start: `<!-- samples follow path/from/the/root -->`. */
export function followedFile(page: string): string | undefined {
  return /^<!-- samples follow (\S+) -->$/m.exec(page)?.[1];
}

/**
 * A fence is three backticks with `schema` or `sql`, then nothing or `error` and a code: a sample that must fail. Other fences are passed
 * over, and so are files (`file=…`, see `walkthrough.ts`). A fence that says something else, or has no end, throws.
 */
export function samplesOf(page: string): readonly Sample[] {
  const samples: Sample[] = [];
  const lines = page.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const opened = /^```(\S*) ?(.*)$/.exec(lines[at] ?? '');
    if (opened === null) continue;
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`line ${at + 1}: this fence has no end`);
    const [, language, mark = ''] = opened;
    if ((language === 'schema' || language === 'sql') && !mark.startsWith('file=')) {
      const error = /^error ([ER][0-9]{4})$/.exec(mark)?.[1];
      if (mark !== '' && error === undefined) throw new Error(`line ${at + 1}: '${mark}' is no mark of a sample`);
      const text = lines.slice(at + 1, end).join('\n');
      samples.push({ text, line: at + 2, ...(error === undefined ? {} : { error }) });
    }
    at = end;
  }
  return samples;
}
