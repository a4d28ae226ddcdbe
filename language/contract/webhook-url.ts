/** Why a text is no address of a webhook, as the end of a sentence that begins with its name; undefined if it is one. */
export function webhookUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'takes a complete URL, such as https://example.com/hook';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'takes a URL without user and password';
  if (url.hash !== '') return 'takes a URL without #';
  // With http only hosts in the configuration of the server can be called.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'takes a URL with https';
  return undefined;
}

/** Whether a URL names this computer, by its name or by an address of the loopback. */
export function isOwnComputer({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
