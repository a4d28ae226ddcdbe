/** Words that mean something to an engine, a language or a runtime that a name passes through. */
const lists: Readonly<Record<string, string>> = {
  'the schema language': `select from where group having order limit offset union intersect except join on using and or not in is like ilike
    between symmetric case when then else end cast as distinct null true false with recursive lateral values window over partition rows range
    groups exclude filter event command decision aggregate projection template eventstore create replace drop execute inspect describe
    validate explain export registry reg dereg state emit branch key default sensitive volatile tag data tags for to into apply use
    name status type value date timestamp interval extract substring position trim any all exists first last nulls`,
  SQLite: `rowid _rowid_ oid abort action add after alter always analyze asc attach autoincrement before begin by cascade check collate column
    commit conflict constraint cross current current_date current_time current_timestamp database deferrable deferred delete desc detach do
    each escape exclusive fail following foreign full generated glob if ignore immediate index indexed initially inner insert instead isnull
    left match materialized natural no nothing notnull of others outer plan pragma preceding primary query raise references regexp reindex
    release rename restrict returning right rollback row savepoint set table temp temporary ties transaction trigger unbounded unique update
    vacuum view virtual without sqlite_master sqlite_x main`,
  PostgreSQL: `analyse array both collation concurrently current_role current_user deferrable fetch freeze grant leading localtime
    localtimestamp only overlaps placing session_user similar some tablesample trailing user variadic verbose ctid xmin tableoid`,
  JavaScript: `break catch class const continue debugger default delete do else enum export extends finally for function if implements
    import in instanceof interface let new package private protected public return static super switch this throw try typeof var void while
    with yield await async arguments eval undefined NaN Infinity Object String Number Symbol Promise Error Map Set Date JSON Math globalThis
    require module exports process Buffer console number string boolean object never unknown any bigint symbol declare namespace readonly`,
  'Object.prototype': `constructor __proto__ prototype toString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString
    __defineGetter__ __lookupSetter__ then toJSON length`,
  'columns that are there already': `aggregate_id stream_id stream_type seq event_id event_type occurred_at global_position event_version
    command_id correlation_id causation_id rejection branch_index k n id c0 r0 index`,
};

export const words: readonly string[] = [
  ...new Set(Object.values(lists).flatMap((list) => list.split(/\s+/).filter((word) => word !== ''))),
];
