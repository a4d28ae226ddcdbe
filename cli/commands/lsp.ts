import type { Run } from '../declaration.ts';
import { usageFault } from '../exit-fault.ts';
import { productVersion } from '../version.ts';

/** `schemac lsp`: the Language Server Protocol on stdin and stdout, for an editor. */
export const runLsp: Run = async (shell, _words, flags) => {
  const client = clientProcess(flags['clientProcessId']);
  const [{ serveLanguage }, { runToolProcess }] = await Promise.all([
    import('../lsp/serve-language.ts'),
    import('../lsp/runs/tool-process.ts'),
  ]);
  const status = await serveLanguage({
    input: shell.input,
    output: shell.screen as NodeJS.WriteStream,
    say: (line) => shell.messages.write(`${line}\n`),
    version: productVersion(),
    tool: runToolProcess,
    token: () => shell.environment['SCHEMAC_TOKEN'],
    ...(client === undefined ? {} : { client }),
  });
  shell.input.destroy(); // an open stdin would keep the process
  return status;
};

function clientProcess(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string' && /^\d{1,10}$/.test(given)) return Number(given);
  throw usageFault(`--clientProcessId takes the number of a process, not ${JSON.stringify(given)}`);
}
