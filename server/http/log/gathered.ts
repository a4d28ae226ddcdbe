/**
 * A writer of log lines that writes those of one turn of the event loop at once: under load a write for each line costs as much as
 * answering. What is left goes out when the process ends, however it does short of a kill.
 */
export function gathered(write: (text: string) => void): (line: string) => void {
  let lines = '';
  const flush = (): void => {
    if (lines === '') return;
    const text = lines;
    lines = '';
    write(text);
  };
  process.once('exit', flush);
  return (line) => {
    if (lines === '') setImmediate(flush);
    lines += line;
  };
}
