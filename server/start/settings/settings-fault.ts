/** What somebody set cannot be worked with: wrong words on a command line or in a variable, or a file that says what it may not. */
export class SettingsFault extends Error {
  override readonly name = 'SettingsFault';
  /** As the tool exits: 1 for a file, 2 for a word or a variable. */
  readonly status: 1 | 2;
  /** One sentence each; whoever shows them makes them harmless, for they hold what was written. */
  readonly problems: readonly string[];
  constructor(status: 1 | 2, problems: readonly string[]) {
    super(problems.join('\n'));
    this.status = status;
    this.problems = problems;
  }
}
