/** Questions to the rules, answered from the read model: wherever the Worker runs, without waking ChainState. */
import type { BlockchainSettings } from "../../network/settings.ts";
import type { StateView } from "../../rules/state/state-view.ts";
import { TableView } from "../../tables/view/table-view.ts";
import { readableChain, stateTag } from "../chain.ts";
import { KnownRows } from "./known-rows.ts";

/** Each reads at least one row that the one before did not know; scripts cannot read more than some thousands. */
const MAX_ATTEMPTS = 500;
/** Answers that the next question may find: some megabytes. */
const MAX_KEPT_ANSWERS = 20_000;

/** What is known of the state that was asked about last: a client often asks many questions about one. */
let latest: { readonly state: string; readonly rows: KnownRows } | undefined;

/**
 * What `ask` answers on the newest published state.
 * @param ask asked several times, about views that lack rows at first: it must do nothing else but answer
 * @throws ReadModelUnavailable
 * @throws Error when the state changes all the time
 */
export async function askReadModel<T>(
  database: Pick<D1Database, "prepare" | "batch">,
  settings: BlockchainSettings,
  ask: (view: StateView) => T,
): Promise<T> {
  let rows = new KnownRows(settings.chainId);
  let state = await fetchRows(rows, database, settings);
  if (latest?.state === state) rows = latest.rows;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const answer = answerOf(() => ask(new TableView(rows, settings)));
    if (rows.isComplete) {
      latest = rows.size <= MAX_KEPT_ANSWERS ? { state, rows } : undefined;
      return answer();
    }
    const now = await fetchRows(rows, database, settings);
    if (now !== state) {
      rows = new KnownRows(settings.chainId);
      state = now;
    }
  }
  throw new Error(`no answer after ${MAX_ATTEMPTS} batches of rows`);
}

/** Fetches what is missing. @returns the name of the state that it shows @throws ReadModelUnavailable */
async function fetchRows(
  rows: KnownRows,
  database: Pick<D1Database, "prepare" | "batch">,
  settings: BlockchainSettings,
): Promise<string> {
  return stateTag(readableChain(await rows.fetch(database), settings));
}

/** The answer, or what was thrown instead: while rows are missing neither counts. */
function answerOf<T>(ask: () => T): () => T {
  try {
    const value = ask();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
