/**
 * Processor time of this process, independent of other programs on the machine. @returns processor time since the call,
 * ms
 */
export function processorClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}
