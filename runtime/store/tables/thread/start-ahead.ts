import { startThread } from '../../start-thread.ts';
import type { WorkerData } from './port.ts';
import { createProgress } from './progress.ts';
import { isResting, keepResting } from './resting-thread.ts';

/**
 * Starts a thread for the next read model in memory, unless one rests. A thread takes as long to start as its server or script takes to load its own modules,
 * and needs nothing of them.
 */
export function startAhead(): void {
  if (isResting()) return;
  const { memory: progress } = createProgress();
  const data: WorkerData = { secret: '', progress, background: false, role: 'resting' };
  keepResting(startThread(new URL('./worker.js', import.meta.url), data));
}
