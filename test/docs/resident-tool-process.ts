/** A command `schemac` of a shell that `resident-tool.ts` runs. Arguments: the path of its socket, and the words of the command. */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Given, Sent } from './resident-tool.ts';

const [socket = '', ...words] = process.argv.slice(2);
const connection = connect(socket);
const send = (sent: Sent): void => void connection.write(`${JSON.stringify(sent)}\n`);

send({ words, cwd: process.cwd(), environment: process.env });
process.stdin
  .setEncoding('utf8')
  .on('data', (input: string) => send({ input }))
  .on('end', () => send('end of input'));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => send('stop'));
createInterface({ input: connection }).on('line', (line) => {
  const given = JSON.parse(line) as Given;
  if ('status' in given) {
    process.exitCode = given.status;
    process.stdin.destroy();
  } else process[given.stream].write(given.text);
});
