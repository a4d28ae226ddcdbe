/**
 * Checks a trace for the order that durability needs. Takes calls and a way to recognise an answer; gives a sentence
 * for each call that came too early.
 */
import type { SystemCall } from './system-calls.ts';

export interface Answer {
  readonly call: SystemCall;
  /** Text that the trace shows in the frame of the answered command, and in no frame before it. */
  readonly token: string;
}

/** `directory`: the last part of its path. */
export function checkOrder(
  calls: readonly SystemCall[],
  directory: string,
  answers: readonly Answer[],
): readonly string[] {
  return [...checkAnswers(calls, answers), ...checkFrames(calls, directory), ...checkSnapshots(calls, directory)];
}

const isSync = ({ name, failed }: SystemCall): boolean => (name === 'fdatasync' || name === 'fsync') && !failed;
const isLogWrite = ({ name, file }: SystemCall): boolean => name === 'pwrite64' && file.endsWith('.seg');
const isHeader = (call: SystemCall): boolean => isLogWrite(call) && / 0\)\s+= \d+$/.test(call.text);

/**
 * Whether `after` was durable before `before` began: it is a write that returns when it is, or a sync of `file` began after it had come back
 * and itself came back in time.
 */
function synced(calls: readonly SystemCall[], file: string, after: SystemCall, before: SystemCall): boolean {
  if (after.through) return !after.failed && after.end < before.begin;
  return calls.some((call) => isSync(call) && call.file === file && call.begin > after.end && call.end < before.begin);
}

/** `write(log)`, which syncs or is followed by `fdatasync`, → `write(answer)`. */
function checkAnswers(calls: readonly SystemCall[], answers: readonly Answer[]): readonly string[] {
  const writes = calls.filter(isLogWrite);
  const syncs = calls.filter(isSync);
  return answers.flatMap(({ call, token }) => {
    const write = writes.find(({ text }) => text.includes(token));
    if (write === undefined) return [`${token} was answered and never written`];
    return synced(syncs, write.file, write, call) ? [] : [`${token} was answered before its frame was synced`];
  });
}

/**
 * A segment's header and its name are synced before its first frame is written; no write starts before the last sync
 * has returned.
 */
function checkFrames(calls: readonly SystemCall[], directory: string): readonly string[] {
  const problems: string[] = [];
  for (const created of calls.filter(({ name, file }) => name === 'create' && file.endsWith('.seg'))) {
    const writes = calls.filter((call) => isLogWrite(call) && call.file === created.file);
    const [header, frame] = writes;
    if (header === undefined || frame === undefined) continue;
    if (!isHeader(header) || !synced(calls, created.file, header, frame))
      problems.push(`the header of ${created.file} was not synced before its first frame`);
    if (!synced(calls, directory, created, frame))
      problems.push(`the name of ${created.file} was not synced before its first frame`);
  }
  const syncs = calls.filter((call) => isSync(call) && call.file.endsWith('.seg'));
  const writes = calls.filter((call) => isLogWrite(call));
  for (const [index, write] of writes.entries()) {
    const before = writes[index - 1];
    if (before !== undefined && !synced(syncs, before.file, before, write))
      problems.push(`a write to ${write.file} began before the last one was synced`);
  }
  return problems;
}

/** `fsync → rename → fsync(directory)` before an older snapshot is removed. */
function checkSnapshots(calls: readonly SystemCall[], directory: string): readonly string[] {
  const problems: string[] = [];
  const renames = calls.filter(({ name, to }) => name === 'rename' && to?.startsWith('snapshot-') === true);
  for (const rename of renames) {
    const last = calls.filter(({ name, file }) => name === 'pwrite64' && file === rename.file).at(-1);
    if (last === undefined || !synced(calls, rename.file, last, rename))
      problems.push(`${rename.to} got its name before it was synced`);
  }
  for (const removed of calls.filter(({ name, file }) => name === 'unlink' && /^snapshot-.*\.db$/.test(file))) {
    const rename = renames.filter(({ end }) => end < removed.begin).at(-1);
    if (rename === undefined || !synced(calls, directory, rename, removed))
      problems.push(`${removed.file} was removed before the name of a newer one was synced`);
  }
  return problems;
}
