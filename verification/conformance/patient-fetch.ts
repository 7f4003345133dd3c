/** Requests to nodes that may have too little time, which can happen to any node on a loaded machine. */
import { setTimeout as pause } from "node:timers/promises";

export interface PatientAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
}

/** Pauses before each retry while a node has too little time, ms. */
export const usualPausesMs: readonly number[] = [500, 2_000, 5_000, 15_000];

/** Responses of a node that had too little time, which do not depend on the request. */
export const outOfTime =
  /not able to produce a timely response|took too long to complete|estimation was interrupted|Evaluation was (?:cancelled|interrupted)/i;

/**
 * Returns the node's response; the last one if the node never has enough time.
 * @param init of a request that may be repeated
 * @throws TypeError when there is no connection
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
