import { Command, CommanderError, Option } from 'commander';
import type { Declaration } from './declaration.ts';
import { declarations } from './declarations.ts';
import type { ExitStatus } from './exit-fault.ts';
import type { Flags } from './settings/settings.ts';
import type { Shell } from './shell.ts';

/** Parses and runs a command line. Wrong usage ends with 2 and a line on stderr. */
export async function runProgram(shell: Shell, words: readonly string[], version: string): Promise<ExitStatus> {
  let status: ExitStatus = 0;
  const program = createProgram(shell, asked(words), await shownVersion(words, version), (ended) => {
    status = ended;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return status;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // For requested help and version; commander refuses anything else as wrong usage.
    return error.exitCode === 0 ? 0 : 2;
  }
}

/** With the version of the zone table, by which times are computed; it is large, and loaded only if it is asked for. */
async function shownVersion(words: readonly string[], version: string): Promise<string> {
  if (!words.includes('--version') && !words.includes('-V')) return version;
  const { zoneVersion } = await import('../language/values/zones/zone-table.ts');
  return `${version} (time zones ${zoneVersion})`;
}

/** The commands with that first word, since declaring all of them takes milliseconds of every command; all if there is none. */
function asked([first]: readonly string[]): readonly Declaration[] {
  const found = declarations.filter(({ name }) => name.split(' ')[0] === first);
  return found.length === 0 ? declarations : found;
}

function createProgram(
  shell: Shell,
  known: readonly Declaration[],
  version: string,
  end: (status: ExitStatus) => void,
): Command {
  const program = new Command('schemac')
    .description('Compile event-sourced domains written as text into a typed server.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help; every command has its own')
    .helpCommand(false)
    .option('--color', 'colour even if the output is not a terminal')
    .option('--no-color', 'no colour (also: NO_COLOR)');
  program.addHelpText('after', examplesText(firstExamples));
  configure(program, shell);
  for (const declaration of known) declare(program, declaration, shell, end);
  return program;
}

const firstExamples: Declaration['examples'] = [
  ['schemac init shop', 'a small working project in ./shop'],
  ['schemac dev schema', 'serve the schema, and apply every change of it'],
  ['schemac repl schema', 'try it at the prompt'],
];

function examplesText(examples: Declaration['examples']): string {
  return `\nExamples:\n${examples.map(([line, meaning]) => `  $ ${line}\n      ${meaning}\n`).join('')}`;
}

/** Sends output to our own streams, and keeps commander from ending the process. */
function configure(command: Command, shell: Shell): void {
  command
    .exitOverride()
    .showHelpAfterError(`(schemac ${command.name() === 'schemac' ? '' : `${commandPath(command)} `}--help shows how)`)
    .configureOutput({
      writeOut: (text) => shell.output.write(text),
      writeErr: (text) => shell.messages.write(text),
      getOutHelpWidth: () => shell.output.width() ?? 100,
      getErrHelpWidth: () => shell.messages.width() ?? 100,
      getOutHasColors: () => shell.output.colour,
      getErrHasColors: () => shell.messages.colour,
    });
}

function commandPath(command: Command): string {
  const parent = command.parent?.parent ? `${commandPath(command.parent)} ` : '';
  return parent + command.name();
}

function declare(program: Command, declaration: Declaration, shell: Shell, end: (status: ExitStatus) => void): void {
  const [first = '', second] = declaration.name.split(' ');
  const command = second === undefined ? program.command(first) : group(program, first, shell).command(second);
  command.description(declaration.summary);
  for (const [form, meaning] of declaration.arguments) command.argument(form, meaning);
  for (const [form, meaning] of declaration.options) command.addOption(optionOf(form, meaning));
  command.addHelpText('after', examplesText(declaration.examples));
  configure(command, shell);
  command.action(async (...given: unknown[]) => {
    const flags = command.opts<Flags>();
    const words = given
      .slice(0, declaration.arguments.length)
      .flat()
      .filter((word) => typeof word === 'string');
    const run = await declaration.load(shell, flags);
    end(await run(shell, words, flags));
  });
}

/** `--schema <path...>` may be repeated; commander's own variadic options would also take the arguments that follow. */
function optionOf(form: string, meaning: string): Option {
  if (!form.includes('...')) return new Option(form, meaning);
  const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [
    ...(before ?? []),
    value,
  ];
  return new Option(form.replace('...', ''), `${meaning}; may be repeated`).argParser(collect);
}

const groupSummaries: Readonly<Record<string, string>> = {
  add: 'add to a project',
  log: 'check, show, export or import a log',
};

function group(program: Command, name: string, shell: Shell): Command {
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const made = program
    .command(name)
    .description(groupSummaries[name] ?? '')
    .helpCommand(false);
  const examples = declarations
    .filter((each) => each.name.startsWith(`${name} `))
    .map((each) => each.examples.slice(0, 1));
  made.addHelpText('after', examplesText(examples.flat()));
  configure(made, shell);
  return made;
}
