/**
 * Loaded before each test file. uvu sets the exit status once all tests are over; a failed test may have left a server or a watcher open,
 * and would otherwise hold the run up until its time limit. Ending here still runs the code that removes folders and mounts.
 */
import { isMainThread } from 'node:worker_threads';

const lookMilliseconds = 500;

if (isMainThread)
  setInterval(() => {
    if (process.exitCode === 1) process.exit();
  }, lookMilliseconds).unref();
