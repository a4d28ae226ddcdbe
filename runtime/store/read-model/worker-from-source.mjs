// Starts the worker where the sources run uncompiled (tests, development): a thread has no TypeScript loader of its own.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
