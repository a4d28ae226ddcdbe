/**
 * The processor time that synchronous work takes in this process, in ms. Other load on the machine lengthens it by a third or so, and
 * the time on the clock without limit.
 */
export function processorMilliseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
