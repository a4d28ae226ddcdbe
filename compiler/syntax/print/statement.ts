import {
  isBlockStatement,
  type Advance,
  type ApplyTemplate,
  type CreateTable,
  type Execute,
  type ExecuteOption,
  type Explain,
  type Inspect,
  type Statement,
  type TemplateArgument,
  type TemplateValue,
  type WrittenCaller,
  type WrittenClaim,
} from '../ast.ts';
import { asOfDoc } from './as-of.ts';
import { assignmentsDoc, blockDoc, commandFieldDoc } from './block.ts';
import { clauses, indent, join, line, parenthesised, type Doc } from './doc.ts';
import { expressionDoc } from './expression.ts';
import { relationNameText, valuesDoc, wholeQueryDoc } from './query.ts';
import { printName, printNameAmongWords, printWord, quoteString } from './words.ts';

/** A statement without its `;`; with or without the doc comments of a block. */
export function statementDoc(statement: Statement, withOrReplace: boolean, withDocs = false): Doc {
  if (isBlockStatement(statement)) return blockDoc(statement, withOrReplace, withDocs);
  switch (statement.kind) {
    case 'ApplyTemplate':
      return applyDoc(statement);
    case 'DropBlock':
      return `DROP ${statement.block.toUpperCase()} ${printName(statement.name)}`;
    case 'DropTable':
      return `DROP TABLE ${printName(statement.name)}`;
    case 'Execute':
      return executeDoc(statement);
    case 'QueryStatement':
      return wholeQueryDoc(statement);
    case 'CreateTable':
      return tableDoc(statement);
    case 'InspectDecision':
    case 'InspectProjection':
    case 'InspectReaction':
      return inspectDoc(statement);
    case 'Describe':
      return statement.what === undefined
        ? `DESCRIBE ${printNameAmongWords(statement.name)}`
        : `DESCRIBE ${statement.what.toUpperCase()} ${printName(statement.name)}`;
    case 'DescribeAll':
      return `DESCRIBE ${statement.what.toUpperCase()}S`;
    case 'Validate':
      return 'VALIDATE REGISTRY';
    case 'Export':
      return statement.asOf === undefined ? 'EXPORT REGISTRY' : ['EXPORT REGISTRY ', asOfDoc(statement.asOf)];
    case 'Advance':
      return advanceText(statement);
    case 'SetCaller':
      return statement.caller === undefined ? 'RESET CALLER' : ['SET CALLER ', writtenCallerDoc(statement.caller)];
    case 'Explain':
      return explainDoc(statement);
  }
}

function applyDoc({ template, arguments: given }: ApplyTemplate): Doc {
  return [`APPLY TEMPLATE ${printName(template)} WITH `, parenthesised(given.map(templateArgumentDoc), clauses)];
}

export function templateArgumentDoc({ name, value }: TemplateArgument): Doc {
  return [`${printWord(name.text)} = `, templateValueDoc(value)];
}

/** A template argument. */
export function templateValueDoc(value: TemplateValue): Doc {
  switch (value.type) {
    case 'string':
      return quoteString(value.text);
    case 'number':
      return value.text;
    case 'boolean':
      return value.value ? 'TRUE' : 'FALSE';
    case 'null':
      return 'NULL';
    case 'fields':
      return parenthesised(value.fields.map(commandFieldDoc));
  }
}

function executeDoc({ command, arguments: values, options }: Execute): Doc {
  const head = [`EXECUTE ${printName(command)}`, assignmentsDoc(values)];
  return options.length === 0 ? head : [head, ' WITH ', parenthesised(options.map(executeOptionDoc), clauses)];
}

function executeOptionDoc({ name, value }: ExecuteOption): Doc {
  return [`${printWord(name.text)} = `, expressionDoc(value)];
}

function tableDoc({ name, columns, source, asOf }: CreateTable): Doc {
  const head = [
    `CREATE TABLE ${printName(name)}`,
    columns === undefined ? '' : [' ', parenthesised(columns.map(printName))],
  ];
  return clauses(
    head,
    ' AS',
    indent(line, source.kind === 'Values' ? valuesDoc(source) : wholeQueryDoc({ query: source, asOf })),
  );
}

function inspectedText(statement: Inspect): string {
  switch (statement.kind) {
    case 'InspectDecision':
      return `DECISION ${printName(statement.decision)}`;
    case 'InspectProjection':
      return `PROJECTION ${printName(statement.projection)}`;
    case 'InspectReaction':
      return `REACTION ${printName(statement.reaction)}`;
  }
}

function inspectDoc(statement: Inspect): Doc {
  const parts: Doc[] = [
    `INSPECT ${inspectedText(statement)}`,
    `FROM ${relationNameText(statement.source)}`,
    `INTO ${relationNameText(statement.target)}`,
  ];
  if (statement.kind === 'InspectProjection' && statement.offset !== undefined)
    parts.push(['OFFSET ', expressionDoc(statement.offset)]);
  if (statement.where !== undefined) parts.push(['WHERE ', expressionDoc(statement.where)]);
  if (statement.limit !== undefined) parts.push(['LIMIT ', expressionDoc(statement.limit)]);
  if (statement.asOf !== undefined) parts.push(asOfDoc(statement.asOf));
  if (statement.store !== undefined) parts.push(`USING EVENTSTORE ${printName(statement.store)}`);
  const { schema } = statement;
  if (schema !== undefined)
    parts.push(`WITH SCHEMA ${schema.from === 'file' ? 'FILE ' : ''}${quoteString(schema.value)}`);
  return clauses(...join(line, parts));
}

function advanceText({ by, to }: Advance): string {
  const how = by === undefined ? `TO TIMESTAMP ${quoteString(to?.value ?? '')}` : `${by.amount} ${by.unit}`;
  return `ADVANCE CLOCK ${how}`;
}

/** A caller behind its keyword. */
function writtenCallerDoc({ subject, roles, claims }: WrittenCaller): Doc {
  return [
    expressionDoc(subject),
    roles.length === 0 ? '' : [' ROLES ', parenthesised(roles.map(expressionDoc), clauses)],
    claims.length === 0 ? '' : [' CLAIMS ', parenthesised(claims.map(writtenClaimDoc), clauses)],
  ];
}

function writtenClaimDoc({ name, values, isList }: WrittenClaim): Doc {
  const given = values.map(expressionDoc);
  return [`${printWord(name.text)} := `, ...(isList ? [parenthesised(given, clauses)] : given)];
}

function explainDoc({ target }: Explain): Doc {
  if (target.type === 'query') return clauses('EXPLAIN', line, wholeQueryDoc(target));
  if (target.type === 'access')
    return target.caller === undefined
      ? 'EXPLAIN ACCESS'
      : ['EXPLAIN ACCESS FOR CALLER ', writtenCallerDoc(target.caller)];
  return `EXPLAIN ${target.type.toUpperCase()} ${printName(target.name)}`;
}
