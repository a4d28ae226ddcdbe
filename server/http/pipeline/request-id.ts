/** The request's id: the caller's own if it is harmless text, else a new one of 128 random bits. */
export function requestId(sent: string | undefined, randomBytes: (length: number) => Uint8Array): string {
  if (sent !== undefined && /^[A-Za-z0-9._:+/=-]{1,128}$/.test(sent)) return sent;
  return Buffer.from(randomBytes(16)).toString('hex');
}
