/**
 * A log writer that writes all lines of one turn of the event loop at once: under load one write per line costs as much as answering. The
 * rest is written when the process ends, unless it is killed.
 */
export function gathered(write: (text: string) => void): (line: string) => void {
  let lines = '';
  const flush = (): void => {
    if (lines === '') return;
    const text = lines;
    lines = '';
    process.off('exit', flush);
    write(text);
  };
  return (line) => {
    if (lines === '') {
      setImmediate(flush);
      process.on('exit', flush);
    }
    lines += line;
  };
}
