import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { Choice } from './choice.ts';

/** Whole blocks, first those that the registry lacks. */
export function statementSnippets(catalog: Catalog): readonly Choice[] {
  return [...missingDecisions(catalog), ...blocks];
}

const create = 'CREATE ';

/** The blocks that the registry lacks, behind CREATE. */
export function snippetsBehindCreate(catalog: Catalog): readonly Choice[] {
  return missingDecisions(catalog).map((choice) => ({ ...choice, insert: choice.insert.slice(create.length) }));
}

/** A decision for each command without one. */
function missingDecisions(catalog: Catalog): readonly Choice[] {
  const decided = new Set(catalog.blocks.decision.map(({ command }) => command));
  const [aggregate] = catalog.blocks.aggregate;
  return catalog.blocks.command
    .filter(({ name }) => !decided.has(name))
    .map(({ name, streamField }) =>
      snippet(
        `decision on ${name}`,
        `${create}DECISION \${1:Do${name}} FOR \${2:${aggregate?.name ?? 'Aggregate'}} ON COMMAND ${name}\nSTATE AS SELECT \${3:COUNT(*) AS events} FROM Reg."\${2:${aggregate?.name ?? 'Aggregate'}}\\$Events" WHERE stream_id = :${streamField}\nEMIT AS\n  SELECT EVENT \${4:Event} ($5)\n  WHERE \${6:events = 0};`,
        'a command without a decision is refused',
      ),
    );
}

function snippet(label: string, insert: string, documentation: string): Choice {
  return { label, kind: 'snippet', insert, stops: true, documentation };
}

const blocks: readonly Choice[] = [
  snippet('aggregate', `CREATE AGGREGATE \${1:Name};`, 'a family of streams and their state'),
  snippet('command', `CREATE COMMAND \${1:Name} (\${2:id} STRING, $3);`, 'a request'),
  snippet('event', `CREATE EVENT \${1:Name} ($2);`, 'a fact in a stream'),
  snippet(
    'decision',
    `CREATE DECISION \${1:Name} FOR \${2:Aggregate} ON COMMAND \${3:Command}\nSTATE AS SELECT \${4:COUNT(*) AS events} FROM Reg."\${2:Aggregate}\\$Events" WHERE stream_id = :\${5:id}\nEMIT AS\n  SELECT EVENT \${6:Event} ($7)\n  WHERE \${8:events = 0};`,
    'answers a command with events, or rejects it',
  ),
  snippet(
    'projection',
    `CREATE PROJECTION \${1:Name} AS\nSELECT \${2:stream_id} FROM Reg."\${3:Aggregate}\\$Events" GROUP BY \${2:stream_id};`,
    'a read model over events',
  ),
  snippet(
    'subscription',
    `CREATE SUBSCRIPTION \${1:Name} FROM \${2:START} AS\nSELECT \${3:stream_id} FROM Reg."\${4:Aggregate}\\$Events";`,
    'rows for another system, which acknowledges them',
  ),
  snippet(
    'reaction',
    `CREATE REACTION \${1:Name} ON EVENT \${2:Event}\nEXECUTE \${3:Command} (\${4:id} := :stream_id)$5;`,
    'answers an event with commands, at once or later',
  ),
  snippet('claim', `CREATE CLAIM \${1:name} \${2:STRING};`, 'a claim of a caller’s token'),
  snippet('enum', `CREATE ENUM \${1:Name} AS ('\${2:value}'$3);`, 'a type of listed values'),
  snippet(
    'function',
    `CREATE FUNCTION \${1:name} (\${2:x} \${3:INT}) RETURNS \${4:INT} AS \${5:x};`,
    'a computation with a name',
  ),
  snippet('template', `CREATE TEMPLATE \${1:Name} (\${2:Entity}) AS (\n  $3\n);`, 'blocks with parameters'),
];
