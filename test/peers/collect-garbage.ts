import { Session } from 'node:inspector';

/** Collects all garbage again and again until the result is called, as a busy process does. */
export function collectGarbage(): () => void {
  const session = new Session();
  session.connect();
  const timer = setInterval(() => session.post('HeapProfiler.collectGarbage'), 100);
  return () => {
    clearInterval(timer);
    session.disconnect();
  };
}
