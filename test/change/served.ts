/** A built project served by its own tool, and the requests of the tests of changes. */
import { watchOutput, type WatchedOutput } from '../kit/watch-output.ts';
import { writeFiles } from '../kit/temp-folder.ts';
import { startTool, type ToolOptions } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';

export const schema = `CREATE AGGREGATE Box (id STRING KEY, n INT DEFAULT 0 AS SUM(data.n));
CREATE COMMAND Put (id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put
STATE AS SELECT n AS had FROM Reg."Box$Agg" WHERE aggregate_id = :id
EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0 AND had < 1000000;
CREATE PROJECTION Sums AS SELECT COUNT(*) AS events, SUM(data.n) AS total FROM Reg."Box$Events";
`;

export interface Served {
  readonly url: string;
  readonly output: WatchedOutput;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Writes the schema and builds it. */
export async function build(folder: string): Promise<void> {
  writeFiles(folder, { 'schema/box.schema': schema });
  const { status, stderr } = await runToolHere(['build', 'schema'], { cwd: folder });
  if (status !== 0) throw new Error(stderr);
}

/** Serves the build, with changes allowed. */
export async function start(folder: string, environment: ToolOptions['environment'] = {}): Promise<Served> {
  const words = ['start', '--enable-create', '--port', '0', '--data', 'data'];
  const output = watchOutput(startTool(words, { cwd: folder, environment }));
  const [url = ''] = /http:\S+(?=,)/.exec(await output.until(', data ')) ?? [];
  return { url, output };
}

const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };

export async function post(url: string, path: string, body: object): Promise<Answer> {
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}
export async function get(url: string, path: string): Promise<Answer> {
  const answer = await fetch(url + path, { headers });
  return { status: answer.status, body: await answer.json() };
}
export function execute(url: string, command: string, input: object): Promise<Answer> {
  return post(url, `/api/aggregates/Box/execute/${command}`, input);
}
export function change(url: string, lang: string): Promise<Answer> {
  return post(url, '/api/lang/create', { lang });
}
