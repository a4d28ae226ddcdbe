import { connect, type Socket } from 'node:net';
import type { LongFigure } from './figure.ts';
import { pause, serveLong } from './serving.ts';

const MiB = 1024 * 1024;

/** 200 callers that read a large stream slowly, and one that never ends the head of its request. */
export async function slowCallers(): Promise<readonly LongFigure[]> {
  const server = await serveLong(60_000, 1_000);
  // Memory loaded for the first answer is not due to slow readers.
  await (await fetch(`${server.url}/api/aggregates/Meter/events?limit=20000`)).arrayBuffer();
  const before = server.residentBytes();
  let highest = before;
  let taken = 0;
  const readers = Array.from({ length: 200 }, (): Socket => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET /api/aggregates/Meter/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      taken += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 500);
    });
    return socket;
  });
  for (let look = 0; look < 150; look++) {
    await pause(100);
    highest = Math.max(highest, server.residentBytes());
  }
  const settled = server.residentBytes();
  const open = readers.filter((socket) => !socket.destroyed).length;
  for (const socket of readers) socket.destroy();
  const cut = await timeToCut(server.port);
  await server.stop();
  return [
    {
      name: '200 slow readers of a stream',
      value: (highest - before) / MiB,
      unit: 'MiB more',
      at: 'most',
      goal: 128,
      beside: `${Math.round((settled - before) / MiB)} at the end, ${open} still reading, ${Math.round(taken / MiB)} MiB taken`,
    },
    { name: 'a head that never ends is cut', value: cut / 1000, unit: 's', at: 'most', goal: 11 },
  ];
}

function timeToCut(port: number): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /health HTTP/1.1\r\nHost: local'));
    socket.on('error', () => undefined);
    socket.resume().once('close', () => resolve(performance.now() - begun));
  });
}
