/**
 * Refuses statements that Cloudflare's SQLite refuses and Node's accepts, so that a test fails where production would.
 */
import { platformLimits } from "../../src/platform/limits.ts";

/** SQLite's error message for a value that is too long. */
const TOO_BIG = "string or blob too big: SQLITE_TOOBIG";

/**
 * Checks a statement before it is run.
 * @param values bound to its parameters
 * @throws Error with SQLite's message for the exceeded limit
 */
export function checkPlatformStatement(sql: string, values: readonly unknown[]): void {
  const { boundParameters, statementBytes, valueBytes } = platformLimits;
  if (Buffer.byteLength(sql) > statementBytes) throw new Error(`${TOO_BIG}: a statement of ${sql.length} characters`);
  if (values.length > boundParameters)
    throw new Error(`too many SQL variables: SQLITE_ERROR: ${values.length} where ${boundParameters} may be bound`);
  const sizeBytes = values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
  // The values of one row, or of one parameter that holds many: neither may be longer.
  if (sizeBytes > valueBytes) throw new Error(`${TOO_BIG}: ${sizeBytes} bytes for ${sql.slice(0, 80)}`);
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 8;
}
