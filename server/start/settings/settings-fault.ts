/** Invalid settings: a wrong word on a command line or in a variable, or a file with a value that is not allowed. */
export class SettingsFault extends Error {
  override readonly name = 'SettingsFault';
  /** The tool's exit code: 1 for a file, 2 for a word or a variable. */
  readonly status: 1 | 2;
  /** A sentence for each problem; they quote the given settings, so they must be escaped before they are shown. */
  readonly problems: readonly string[];
  constructor(status: 1 | 2, problems: readonly string[]) {
    super(problems.join('\n'));
    this.status = status;
    this.problems = problems;
  }
}
