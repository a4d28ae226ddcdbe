import { ErrorCodes, ResponseError } from 'vscode-languageserver-protocol/node';

type Check = (value: unknown) => boolean;

/** Checks of the members that each kind of request must have, as far as an answer relies on them. */
const required: Readonly<Record<string, Check>> = {
  textDocument: (value) => isObject(value) && typeof value['uri'] === 'string',
  position: isPosition,
  range: isRange,
  positions: (value) => Array.isArray(value) && value.every(isPosition),
  context: isObject,
  newName: isText,
  query: isText,
  command: isText,
  label: isText,
};

const place = ['textDocument', 'position'];
const byMethod: Readonly<Record<string, readonly string[]>> = {
  'textDocument/completion': place,
  'textDocument/hover': place,
  'textDocument/signatureHelp': place,
  'textDocument/definition': place,
  'textDocument/references': [...place, 'context'],
  'textDocument/documentHighlight': place,
  'textDocument/prepareRename': place,
  'textDocument/rename': [...place, 'newName'],
  'textDocument/onTypeFormatting': place,
  'textDocument/codeAction': ['textDocument', 'range', 'context'],
  'textDocument/inlayHint': ['textDocument', 'range'],
  'textDocument/rangeFormatting': ['textDocument', 'range'],
  'textDocument/semanticTokens/range': ['textDocument', 'range'],
  'textDocument/selectionRange': ['textDocument', 'positions'],
  'workspace/symbol': ['query'],
  'workspace/executeCommand': ['command'],
  'completionItem/resolve': ['label'],
};

/** Refuses parameters that do not have what the protocol asks for, naming it. */
export function refuseMalformed(method: string, parameters: unknown): void {
  for (const name of byMethod[method] ?? ['textDocument']) {
    const value = isObject(parameters) ? parameters[name] : undefined;
    if (required[name]?.(value) === true) continue;
    const problem = value === undefined ? 'is missing' : 'has another form than the protocol says';
    throw new ResponseError(ErrorCodes.InvalidParams, `${method}: '${name}' ${problem}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isPosition(value: unknown): boolean {
  return (
    isObject(value) && [value['line'], value['character']].every((each) => Number.isInteger(each) && Number(each) >= 0)
  );
}

function isRange(value: unknown): boolean {
  return isObject(value) && isPosition(value['start']) && isPosition(value['end']);
}
