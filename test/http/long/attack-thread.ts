/** A thread that attacks a server until it is ended. */
import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { keepAttacking, type Attack } from './attack.ts';

const { port, attack } = workerData as { readonly port: number; readonly attack: Attack };
// Attackers have machines of their own, and here they share the server's. On Linux this is the priority of this thread alone.
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + 5));
keepAttacking(port, attack);
parentPort?.postMessage('begun');
