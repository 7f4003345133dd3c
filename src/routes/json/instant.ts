/**
 * A time in the format of the reference's platform: whole seconds have no fraction.
 * @param timestampMs milliseconds since the epoch
 * @source java.time.Instant, toString
 */
export function instantText(timestampMs: bigint): string {
  return new Date(Number(timestampMs)).toISOString().replace(".000Z", "Z");
}
