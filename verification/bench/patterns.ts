/** `npm run bench -- patterns`: CPU time of the slowest key patterns for one key, the best of three. */
import { KeyPattern } from "../../src/java-regex/key-pattern.ts";
import { slowCases } from "../../test/support/fixtures/slow-patterns.ts";

const plenty = 1_000_000_000;
const runs = 3;
const maxPrinted = 12;

/** Milliseconds of CPU. */
function spentMs(pattern: string, key: string): number {
  const before = process.cpuUsage();
  try {
    KeyPattern.parse(pattern, plenty)?.matches(key);
  } catch (error) {
    // Aborted: the time until then counts.
    if (!(error instanceof RangeError)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const measured = slowCases.map(({ what, of, pattern, key }) => {
  spentMs(pattern, key);
  return { what, of, ms: Math.min(...Array.from({ length: runs }, () => spentMs(pattern, key))) };
});
measured.sort((left, right) => right.ms - left.ms);
for (const { what, of, ms } of measured.slice(0, maxPrinted))
  process.stdout.write(`${ms.toFixed(1).padStart(7)} ms  ${what}, on ${of}\n`);
