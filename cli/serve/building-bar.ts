/**
 * While the read model of a server is built from its log: a bar in the last line of a terminal, below what the server says. Takes how far it is,
 * gives the way to write lines above it.
 */
import { performance } from 'node:perf_hooks';
import type { BuildProgress } from '../../runtime/store/store.ts';
import type { Output } from '../shell.ts';

export interface BuildingBar {
  /** Whole lines, which stay above the bar. */
  readonly write: (text: string) => void;
  /** Shows the bar until `progress` is undefined. */
  readonly watch: (progress: () => BuildProgress | undefined) => void;
  /** Removes the bar. */
  readonly stop: () => void;
}

export interface BuildingBarOptions {
  /** Milliseconds before the bar is shown: most starts have little to build. */
  readonly patience?: number;
  /** Milliseconds between two pictures. */
  readonly interval?: number;
}

const clear = '\r\u001b[K';

/** Without a terminal lines are only written. */
export function createBuildingBar(
  messages: Pick<Output, 'write' | 'terminal' | 'width'>,
  { patience = 1000, interval = 200 }: BuildingBarOptions = {},
): BuildingBar {
  let timer: NodeJS.Timeout | undefined;
  let shown = '';
  const remove = (): void => {
    clearInterval(timer);
    if (shown !== '') messages.write(clear);
    shown = '';
  };
  return {
    write: (text) => messages.write(shown === '' ? text : `${clear}${text}${shown}`),
    watch: (progress) => {
      const first = progress();
      if (!messages.terminal || first === undefined) return;
      const began = performance.now();
      timer = setInterval(() => {
        const now = progress();
        if (now === undefined) {
          remove();
          return;
        }
        const milliseconds = performance.now() - began;
        if (milliseconds < patience) return;
        shown = `${clear}${barText(now, { from: first.done, milliseconds }, messages.width())}`;
        messages.write(shown);
      }, interval).unref();
    },
    stop: remove,
  };
}

const cells = 20;

/** `since`: where the build was when it began to be watched, and how long that is ago. Fits into a line of that width. */
export function barText(
  { done, of }: BuildProgress,
  since: { readonly from: number; readonly milliseconds: number },
  width = 80,
): string {
  const part = of === 0 ? 1 : Math.min(1, done / of);
  const full = Math.floor(part * cells);
  const bar = `${'█'.repeat(full)}${'░'.repeat(cells - full)}`;
  const entries = `${done.toLocaleString('en')} of ${of.toLocaleString('en')} entries`;
  const perMillisecond = (done - since.from) / since.milliseconds;
  const left = perMillisecond > 0 ? `, about ${durationText((of - done) / perMillisecond)} left` : '';
  const texts = [
    `building the read model ${bar} ${Math.floor(part * 100)} %, ${entries}${left}`,
    `read model ${bar} ${Math.floor(part * 100)} %, ${entries}`,
    `${bar} ${Math.floor(part * 100)} %`,
  ];
  return texts.find((text) => text.length < width) ?? `${Math.floor(part * 100)} %`;
}

function durationText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
