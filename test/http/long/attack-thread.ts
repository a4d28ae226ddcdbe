/** A thread that attacks a server until it is ended. */
import { parentPort, workerData } from 'node:worker_threads';
import { keepAttacking, type Attack } from './attack.ts';

const { port, attack } = workerData as { readonly port: number; readonly attack: Attack };
keepAttacking(port, attack);
parentPort?.postMessage('begun');
