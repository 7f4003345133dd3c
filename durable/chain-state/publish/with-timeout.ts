/** D1 itself gives up after 30 s. */
const TIME_LIMIT_MS = 40_000;

/**
 * Rejects after the time limit. The operation may have happened or not, as after any error.
 * @param from name of the responding service
 */
export async function withTimeout<T>(response: Promise<T>, from: string, timeLimitMs = TIME_LIMIT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${from} did not respond within ${timeLimitMs} ms`)), timeLimitMs);
  });
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(timer);
  }
}
