/* global baseUrl -- the test puts it in */
// The first things that a front end does: execute, list, filter, and read the headers that it needs.

const Accept = 'application/json';

function put(id, headers) {
  return fetch(`${baseUrl}/api/aggregates/Box/execute/Put`, {
    method: 'POST',
    headers: { Accept, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ box_id: id, n: 2 }),
  });
}

async function list(query) {
  const answer = await fetch(`${baseUrl}/api/aggregates/Box${query}`, { headers: { Accept } });
  return (await answer.json()).map((row) => row.aggregate_id);
}

async function visit() {
  const first = await put('b', { 'Idempotency-Key': 'k', 'If-Match': '"0"', Prefer: 'count=exact' });
  const again = await put('b', { 'Idempotency-Key': 'k', Authorization: 'Bearer none' });
  await put('c', {});
  return {
    outcome: await first.json(),
    seq: first.headers.get('ETag'),
    hasRequestId: first.headers.get('X-Request-Id') !== null,
    replayed: again.headers.get('Idempotent-Replayed'),
    all: await list(''),
    filtered: await list('?aggregate_id=c'),
  };
}

const told = await visit().catch(String);
await fetch('/done', { method: 'POST', body: JSON.stringify(told) });
