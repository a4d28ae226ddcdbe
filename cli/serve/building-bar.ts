/**
 * Shows a bar while a server reads its log, to check it or to build from it: in the last line of a terminal, below the server's messages.
 * Takes the progress, gives the way to write lines above it.
 */
import { performance } from 'node:perf_hooks';
import type { LogWork } from '../../runtime/store/opening.ts';
import type { Output } from '../shell.ts';

export interface BuildingBar {
  /** Whole lines, which stay above the bar. */
  readonly write: (text: string) => void;
  /** Shows the bar until `isOver`, by default when there is no work; replaces an earlier watch. */
  readonly watch: (work: () => LogWork | undefined, isOver?: () => boolean) => void;
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
    watch: (work, isOver = () => work() === undefined) => {
      remove();
      if (!messages.terminal || isOver()) return;
      let since: Since | undefined;
      timer = setInterval(() => {
        const now = work();
        if (isOver()) {
          remove();
          return;
        }
        if (now === undefined) return;
        if (since?.kind !== now.kind) since = { kind: now.kind, done: now.done, at: performance.now() };
        const milliseconds = performance.now() - since.at;
        if (milliseconds < patience && shown === '') return;
        shown = `${clear}${barText(now, { from: since.done, milliseconds }, messages.width())}`;
        messages.write(shown);
      }, interval).unref();
    },
    stop: remove,
  };
}

const cells = 20;

const titles = {
  check: ['checking the log', 'log'],
  heads: ['reading streams', 'streams'],
  build: ['building the read model', 'read model'],
} as const satisfies Record<LogWork['kind'], readonly [string, string]>;

/** Where work began to be watched. */
interface Since {
  readonly kind: LogWork['kind'];
  readonly done: number;
  readonly at: number;
}

/** `since`: where the work was when it began to be watched, and how long that is ago. Fits into a line of that width. */
export function barText(
  { kind, done, of, unit }: LogWork,
  since: { readonly from: number; readonly milliseconds: number },
  width = 80,
): string {
  const part = of === 0 ? 1 : Math.min(1, done / of);
  const full = Math.floor(part * cells);
  const bar = `${'█'.repeat(full)}${'░'.repeat(cells - full)}`;
  const count = `${done.toLocaleString('en')} of ${of.toLocaleString('en')} ${unit}`;
  const [title, short] = titles[kind];
  const perMillisecond = (done - since.from) / since.milliseconds;
  const left = perMillisecond > 0 ? `, about ${durationText((of - done) / perMillisecond)} left` : '';
  const texts = [
    `${title} ${bar} ${Math.floor(part * 100)} %, ${count}${left}`,
    `${title} ${bar} ${Math.floor(part * 100)} %${left}`,
    `${short} ${bar} ${Math.floor(part * 100)} %, ${count}`,
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
