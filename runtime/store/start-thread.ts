import { Worker } from 'node:worker_threads';

/** Starts a thread at a module of the package; `module` is where it stands once built. */
export function startThread(module: URL, workerData: object): Worker {
  const built = !import.meta.url.endsWith('.ts');
  return built ? new Worker(module, { workerData }) : startFromSource(module, workerData);
}

/** Uncompiled (tests, development) each thread needs its own loader of TypeScript. */
function startFromSource(module: URL, workerData: object): Worker {
  const loader = `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}; register();`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(loader)}`;
  return new Worker(new URL(module.href.replace(/\.js$/, '.ts')), {
    workerData,
    execArgv: [...process.execArgv, preload],
  });
}
