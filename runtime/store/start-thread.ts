import { Worker, type ResourceLimits } from 'node:worker_threads';

/**
 * Starts a thread with a module of the package; `module` is its path in the built package. Past its `resourceLimits` it
 * ends with an error of the code ERR_WORKER_OUT_OF_MEMORY.
 */
export function startThread(module: URL, workerData: object, resourceLimits: ResourceLimits = {}): Worker {
  const built = !import.meta.url.endsWith('.ts');
  return built
    ? new Worker(module, { workerData, resourceLimits })
    : startFromSource(module, workerData, resourceLimits);
}

/** Without a build (tests, development) each thread needs its own loader of TypeScript. */
function startFromSource(module: URL, workerData: object, resourceLimits: ResourceLimits): Worker {
  const loader = `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}; register();`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(loader)}`;
  return new Worker(new URL(module.href.replace(/\.js$/, '.ts')), {
    workerData,
    resourceLimits,
    execArgv: [...process.execArgv, preload],
  });
}
