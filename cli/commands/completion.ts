import type { Declaration, Run } from '../declaration.ts';
import { usageFault } from '../exit-fault.ts';

/** A command for completion: its words and its long options. */
interface Completed {
  readonly words: string;
  readonly summary: string;
  readonly options: readonly { readonly flag: string; readonly meaning: string }[];
}

function completed({ name, summary, options }: Declaration): Completed {
  const flags = [...options, ['--help', 'print help'] as const].map(([form, meaning]) => ({
    flag: /--[A-Za-z-]+/.exec(form)?.[0] ?? '',
    meaning,
  }));
  return { words: name, summary, options: flags };
}

const shells: Readonly<Record<string, (commands: readonly Completed[]) => string>> = { bash, zsh, fish };

/** `schemac completion bash|zsh|fish`: made from the declarations, so it always matches them. */
export function completionOf(declarations: readonly Declaration[]): Run {
  return (shell, [wanted = '']) => {
    const print = Object.hasOwn(shells, wanted) ? shells[wanted] : undefined;
    if (print === undefined) throw usageFault(`completion takes bash, zsh or fish, not '${wanted}'`);
    shell.output.write(print(declarations.map(completed)));
    return Promise.resolve(0);
  };
}

/** First words, each group once. */
function firstWords(commands: readonly Completed[]): readonly string[] {
  return [...new Set(commands.map(({ words }) => words.split(' ')[0] ?? ''))];
}

function secondWords(commands: readonly Completed[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const { words } of commands) {
    const [first = '', second] = words.split(' ');
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), second]);
  }
  return groups;
}

function bash(commands: readonly Completed[]): string {
  const groups = [...secondWords(commands)].map(
    ([first, seconds]) => `    ${first}) [ "$COMP_CWORD" -eq 2 ] && words='${seconds.join(' ')}' ;;`,
  );
  const flags = commands.map(
    ({ words, options }) => `    '${words}') flags='${options.map(({ flag }) => flag).join(' ')}' ;;`,
  );
  return `# bash completion for schemac
_schemac() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words='' flags='--help --version --no-color'
  [ "$COMP_CWORD" -eq 1 ] && words='${firstWords(commands).join(' ')}'
  case "\${COMP_WORDS[1]}" in
${groups.join('\n')}
  esac
  local command="\${COMP_WORDS[1]}"
  case "$command" in ${[...secondWords(commands).keys()].join('|')}) command="$command \${COMP_WORDS[2]}" ;; esac
  case "$command" in
${flags.join('\n')}
  esac
  case "$word" in -*) words="$flags" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ -z "$words" ] && compopt -o default
}
complete -F _schemac schemac
`;
}

function zsh(commands: readonly Completed[]): string {
  const quote = (text: string): string =>
    text.replaceAll("'", "'\\''").replaceAll('[', '\\[').replaceAll(']', '\\]').replaceAll(':', '\\:');
  const groups = [...secondWords(commands)].map(
    ([first, seconds]) => `    ${first}) (( CURRENT == 3 )) && compadd ${seconds.join(' ')} && return ;;`,
  );
  const flags = commands.map(
    ({ words, options }) =>
      `    '${words}') _arguments ${options.map(({ flag, meaning }) => `'${flag}[${quote(meaning)}]'`).join(' ')} '*:file:_files' ;;`,
  );
  const single = commands.filter(({ words }) => !words.includes(' '));
  const described = [
    ...single.map(({ words, summary }) => `'${words}:${quote(summary)}'`),
    ...[...secondWords(commands)].map(([first, seconds]) => `'${first}:${seconds.join(', ')}'`),
  ];
  return `#compdef schemac
_schemac() {
  local -a commands=(${described.join(' ')})
  if (( CURRENT == 2 )); then _describe command commands && return; fi
  case "\${words[2]}" in
${groups.join('\n')}
  esac
  local command="\${words[2]}"
  case "$command" in ${[...secondWords(commands).keys()].join('|')}) command="$command \${words[3]}" ;; esac
  case "$command" in
${flags.join('\n')}
    *) _files ;;
  esac
}
if [ "$funcstack[1]" = _schemac ]; then _schemac "$@"; else compdef _schemac schemac; fi
`;
}

function fish(commands: readonly Completed[]): string {
  const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ words, summary, options }) => {
    const [first = '', second] = words.split(' ');
    const before = second === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${first}`;
    const seen = `__fish_seen_subcommand_from ${second ?? first}`;
    return [
      `complete -c schemac -n '${before}' -a ${second ?? first} -d ${quote(summary)}`,
      ...options.map(
        ({ flag, meaning }) => `complete -c schemac -n '${seen}' -l ${flag.slice(2)} -d ${quote(meaning)}`,
      ),
    ];
  });
  const groups = [...secondWords(commands).keys()].map(
    (first) => `complete -c schemac -n __fish_use_subcommand -a ${first}`,
  );
  return ['# fish completion for schemac', ...groups, ...lines].map((line) => `${line}\n`).join('');
}
