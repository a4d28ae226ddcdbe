/** A golden page: a text and all its findings. Runs the text through the real pipeline; never judges. */
import { bindQuery, compileFiles, parseQuery } from '../../compiler/index.ts';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import { renderDiagnostic } from '../../language/diagnostics/render.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import { renderOutcome } from '../../cli/output/outcome-text.ts';
import { openSession } from '../../server/session/open-session.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';

export interface Page {
  readonly source: string;
  /** The findings about the source. */
  readonly said: string;
}

const rule = '----------------------------------------\n';

export function readPage(text: string): Page {
  const at = text.indexOf(rule);
  return at < 0 ? { source: text, said: '' } : { source: text.slice(0, at), said: text.slice(at + rule.length) };
}

export function showPage({ source, said }: Page): string {
  return `${source}${rule}${said}`;
}

/**
 * Everything that is said about a page's source. It is a script that continues after errors, unless its first line is `-- check` (one
 * compilation of files) or `-- interactive` (what people type). The text behind a line `-- console` is one query of a caller, over the
 * blocks before it.
 */
export async function say(name: string, source: string): Promise<string> {
  const [blocks = '', query] = source.split('-- console\n');
  if (query !== undefined) return shown(inConsole(blocks, { name, text: query }));
  const file = { name, text: source };
  return source.startsWith('-- check\n') ? shown(compileFiles([file]).diagnostics) : inSession(file);
}

/** The codes in the findings, each once, in order. */
export function codesIn(said: string): readonly string[] {
  const found = Array.from(said.matchAll(/\[([EWR][0-9]{4})\]: |^ +(?:warning|info) +\| (E10[0-9]{2}) /gm));
  return Array.from(new Set(found.map(([, told, listed]) => told ?? listed ?? '')));
}

async function inSession(file: SourceFile): Promise<string> {
  const lenientPayload = file.text.startsWith('-- interactive\n');
  const session = await openSession({
    store: await openMemoryStore({ starts: 'when asked' }),
    version: '0.0.0',
    lenientPayload,
  });
  const said: string[] = [];
  try {
    for await (const outcome of session.run(file, { keepGoing: true })) {
      said.push(shown(outcome.warnings));
      if (outcome.kind === 'error')
        for (const { diagnostic, code, message, span } of outcome.problems)
          said.push(shown([diagnostic ?? { code, severity: 'error', message, span, related: [] }]));
      if (outcome.kind === 'validate')
        said.push(renderOutcome(outcome, { width: undefined, expanded: false, colour: false, terminal: false }));
    }
  } finally {
    await session.close();
  }
  return said.join('');
}

/** Limits of `POST /api/query` for a caller (docs/http.md#limits). */
const limits = { depth: 64, joins: 16, commonTables: 16, setOperations: 16, listItems: 1000, recursive: false };

function inConsole(blocks: string, file: SourceFile): readonly Diagnostic[] {
  const { registry } = compileFiles([{ name: 'blocks.schema', text: blocks }]);
  const parsed = parseQuery(file);
  if (parsed.outcome !== 'query') return parsed.diagnostics;
  return bindQuery(registry, parsed.query, { tables: [], cleared: false, limits }).diagnostics;
}

function shown(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((found) => `${renderDiagnostic(found, { colour: false, width: 120 })}\n`).join('');
}
