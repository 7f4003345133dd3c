/** Processor time of this process, which other programs on the machine do not take. @returns how much it has had since, ms */
export function processorClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}
