import { openLog, type DiskLog } from '../../runtime/store/log/log.ts';
import { createSimulatedDisk } from '../crash/simulated-disk.ts';
import { directory } from '../crash/workload.ts';
import { journalContract } from './journal-contract.ts';

journalContract('log on disk', async () => {
  const disk = createSimulatedDisk();
  let seed = 1;
  const open = (): Promise<DiskLog> =>
    openLog({
      directory,
      disk,
      random: (bytes) => Uint8Array.from({ length: bytes }, () => (seed = (seed * 57 + 11) & 0xff)),
      fsync: true,
      rolloverBytes: 2000,
      log: () => undefined,
      lost: () => undefined,
    });
  return { journal: await open(), reopen: open };
});
