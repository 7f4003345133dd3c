/** Test of the isolate's heap limit: fills the heap until the isolate dies. */
import type { Inspector } from "./inspector.ts";

const bytesPerMegabyte = 1_048_576;
/** Half a million numbers that are no integers: about 4 MB. */
const fillExpression = "(globalThis.kept ??= []).push(Array.from({ length: 500_000 }, (_, index) => index + 0.5)), 1";

/**
 * Fills the heap. Afterwards the isolate is dead, or full.
 * @param mostMegabytes size at which to give up
 * @returns last heap size seen, MB; undefined when nothing stopped it
 */
export async function findHeapLimit(inspector: Inspector, mostMegabytes: number): Promise<number | undefined> {
  let seenMegabytes = 0;
  try {
    while (seenMegabytes < mostMegabytes) {
      await inspector.evaluate(fillExpression);
      await inspector.collectGarbage();
      seenMegabytes = (await inspector.heapUsage()).usedSize / bytesPerMegabyte;
    }
    return undefined;
  } catch {
    return seenMegabytes;
  }
}
