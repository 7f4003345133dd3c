/** Requests to nodes that may have too little time: on a loaded machine any node has. */
import { setTimeout as pause } from "node:timers/promises";

export interface PatientAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
}

/** How long a node that had too little time is left alone, each time, ms. */
export const usualPausesMs: readonly number[] = [500, 2_000, 5_000, 15_000];

/** Answers of a node that had too little time: they say nothing of the question. */
export const outOfTime =
  /not able to produce a timely response|took too long to complete|estimation was interrupted|Evaluation was (?:cancelled|interrupted)/i;

/**
 * The node's answer; the last one where it never has the time.
 * @param init of a request that may be repeated
 * @throws TypeError there is no connection
 */
export async function patientFetch(
  url: string,
  init?: RequestInit,
  pausesMs: readonly number[] = usualPausesMs,
): Promise<PatientAnswer> {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(url, init);
    const text = await response.text();
    const { ok, status } = response;
    const pauseMs = pausesMs[attempt];
    if (ok || pauseMs === undefined || !outOfTime.test(text)) return { ok, status, text };
    await pause(pauseMs);
  }
}
