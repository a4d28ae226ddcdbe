/**
 * A text of a caller is refused, for reasons with their line:column: `forbidden` for a statement that is not accepted there, `invalid` for any
 * other fault. Each door answers it in its own form.
 */
export class TextRefused extends Error {
  readonly of: 'sql' | 'lang' | 'schema';
  readonly why: 'forbidden' | 'invalid';
  readonly messages: readonly string[];
  /** The right without which a relation does not exist for the caller; only for the log. */
  readonly denied: string | undefined;
  constructor(of: TextRefused['of'], why: TextRefused['why'], messages: readonly string[], denied?: string) {
    super(messages.join('; '));
    this.name = 'TextRefused';
    this.of = of;
    this.why = why;
    this.messages = messages;
    this.denied = denied;
  }
}
