/** D1 itself gives up after 30 s. */
const TIME_LIMIT_MS = 40_000;

/**
 * What comes too late is as good as an error: it may have happened or not.
 * @param from who is to answer
 */
export async function inTime<T>(answer: Promise<T>, from: string, timeLimitMs = TIME_LIMIT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${from} gave no answer in ${timeLimitMs} ms`)), timeLimitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
