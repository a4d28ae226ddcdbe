/** An export or a check of an archive that cannot be done as asked; the message names the thing and what is allowed. */
export class ArchiveFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ArchiveFault';
  }
}
