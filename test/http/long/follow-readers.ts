/** `node follow-readers.ts <port> <count> <path>`: connections that follow and only count what comes; each line read is a command. */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const [port = '', count = '', path = ''] = process.argv.slice(2);
let bytes = 0;
let open = 0;
for (let number = 0; number < Number(count); number++) {
  const socket = connect(Number(port), '127.0.0.1');
  let isNew = true;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    if (!isNew) return;
    isNew = false;
    if (++open === Number(count)) console.log('open');
  });
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\r\n`);
}
createInterface(process.stdin).on('line', () => console.log(String(bytes)));
