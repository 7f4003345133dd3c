/** Checkpoint requests over a node's REST interface. */
import * as z from "zod";
import type { CheckpointResult } from "../../src/env.ts";
import { oneLine } from "../cli/one-line.ts";
import { UsageError } from "../cli/usage-error.ts";
import type { CheckpointCalls } from "./checkpoint-calls.ts";

const errorSchema = z.object({ message: z.string() });
/** Limit of the node's error message. */
const MAX_MESSAGE_CHARACTERS = 1_000;
/** Attempts of a call that gets no response, with growing pauses: the object may have moved. */
const TRIES = 5;
const FIRST_PAUSE_MS = 1_000;

/** @param url without a slash at the end */
export function nodeCalls({ url, apiKey }: { readonly url: string; readonly apiKey: string }): CheckpointCalls {
  const send = async (body: string): Promise<{ readonly status: number; readonly text: string }> => {
    const headers = { "content-type": "application/json", "x-api-key": apiKey };
    const response = await fetch(`${url}/debug/checkpoint`, { method: "POST", headers, body });
    return { status: response.status, text: await response.text() };
  };
  return async (call) => {
    const body = JSON.stringify(call);
    for (let attempt = 1; ; attempt++) {
      const { status, text } = await send(body).catch((error: Error) => ({ status: 0, text: reasonOf(error) }));
      // The node's own interface: the type of its results is checked where they are made.
      if (status === 200) return JSON.parse(text) as CheckpointResult;
      const isPassing = status === 0 || status >= 500;
      if (!isPassing) throw new UsageError(`The node refuses: ${messageOf(text)}.`);
      if (attempt === TRIES) throw new UsageError(`The node does not respond: ${messageOf(text)}.`);
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    }
  };
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

function messageOf(text: string): string {
  let parsed: unknown = text;
  try {
    parsed = JSON.parse(text);
  } catch {
    // A proxy in front of the node may send errors of another form.
  }
  return oneLine(errorSchema.safeParse(parsed).data?.message ?? text, MAX_MESSAGE_CHARACTERS);
}
