// A page in front of the server itself: it asks for everything, and is shown what its user may see.
const server = new URLSearchParams(location.search).get('server') ?? 'http://127.0.0.1:8080';
const find = (id) => document.getElementById(id);
const [who, status, bookings, invoices, book] = ['who', 'status', 'bookings', 'invoices', 'book'].map(find);
let following = new AbortController();

/** Asks with the token of the chosen user; an answer that is no success becomes an error with the server's sentence. */
async function ask(path, { headers, ...request } = {}) {
  const answer = await fetch(server + path, {
    ...request,
    headers: { authorization: `Bearer ${who.value}`, accept: 'application/json', ...headers },
  });
  if (answer.ok) return answer;
  const { error } = await answer.json();
  throw Object.assign(new Error(error), { status: answer.status });
}

/** The rows of a relation; none where the user has no right to read it. */
async function rowsOf(path) {
  try {
    return await (await ask(path)).json();
  } catch (error) {
    if (error.status === 403) return [];
    throw error;
  }
}

async function send(command, given) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
  const answer = await ask(`/api/aggregates/Booking/execute/${command}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(given),
  });
  const [first] = await answer.json();
  status.textContent = first.status === 'success' ? '' : `The practice refuses: ${command}`;
}

function fill(body, rows, columns, last = () => []) {
  body.replaceChildren(
    ...rows.map((row) => {
      const line = document.createElement('tr');
      for (const column of columns) line.insertCell().textContent = row[column] ?? '';
      line.insertCell().append(...last(row));
      return line;
    }),
  );
}

function cancelButton({ booking_id: booking, patient_id: patient, status: now }) {
  if (now !== 'booked') return [];
  const button = document.createElement('button');
  button.textContent = 'Cancel';
  button.addEventListener('click', () =>
    shown(() => send('CancelBooking', { booking_id: booking, patient_id: patient })),
  );
  return [button];
}

async function show() {
  const columns = ['booking_id', 'patient_id', 'doctor', 'starts_at', 'email', 'status'];
  fill(bookings, await rowsOf('/api/aggregates/Booking/state?order=starts_at'), columns, cancelButton);
  fill(invoices, await rowsOf('/api/projections/OpenInvoices/query'), ['invoice_id', 'patient_id', 'due']);
}

/** Shows everything again after the work, or the sentence of its error. */
async function shown(work) {
  try {
    status.textContent = '';
    await work();
    await show();
  } catch (error) {
    status.textContent = error.message;
  }
}

/** Shows everything again whenever an event comes that the user may see. */
async function follow() {
  following.abort();
  following = new AbortController();
  const { signal } = following;
  try {
    const stream = await ask('/api/aggregates/Booking/events?follow=true&after=end', {
      headers: { accept: 'application/x-ndjson' },
      signal,
    });
    for await (const _ of stream.body) await show();
  } catch (error) {
    if (!signal.aborted && error.status !== 403) status.textContent = error.message;
  }
}

who.addEventListener('change', () => shown(async () => void follow()));
book.addEventListener('submit', (event) => {
  event.preventDefault();
  const { patient_id: patient, starts_at: at, ...given } = Object.fromEntries(new FormData(book));
  const whose = patient === '' ? {} : { patient_id: patient };
  void shown(() => send('Book', { booking_id: crypto.randomUUID(), ...whose, starts_at: `${at}:00Z`, ...given }));
});
void shown(async () => void follow());
