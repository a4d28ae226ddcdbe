/** The first row of a table that a server answers; `{}` if it has none. */
export async function firstRow(url: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as readonly Record<string, unknown>[])[0] ?? {};
}
