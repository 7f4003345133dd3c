/** Questions to the rules, answered from the read model: wherever the Worker runs, without waking ChainState. */
import type { BlockchainSettings } from "../../network/settings.ts";
import type { StateView } from "../../rules/state/state-view.ts";
import { TableView } from "../../tables/view/table-view.ts";
import { type Chain, readableChain, stateTag } from "../chain.ts";
import { KnownRows } from "./known-rows.ts";

/** Each reads at least one row that the one before did not know; scripts cannot read more than some thousands. */
const MAX_ATTEMPTS = 500;
/** Between two attempts it is looked whether there is time for another: rows come from far, and each begins anew. */
const MAX_MS = 10_000;
/** Rows that one question may read. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Rows that the next question may find. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** The state as it is asked about. */
class PublishedView extends TableView {
  override readonly mayRefuseWork = true;

  /** Assets are numbered where they are written: nobody who asks sees it, and the read model has no index for it. */
  override assetsIssuedInBlock(): number {
    return 0;
  }
}

/** A question that reads more, or asks longer, than a question may. */
export class QuestionTooLarge extends Error {
  override readonly name = "QuestionTooLarge";
}

/** What is known of the state that was asked about last: a client often asks many questions about one. */
let latest: { readonly state: string; readonly rows: KnownRows } | undefined;

/**
 * What `ask` answers on the newest published state.
 * @param ask asked several times, about views that lack rows at first: it must do nothing else but answer
 * @throws ReadModelUnavailable, QuestionTooLarge
 */
export async function askReadModel<T>(
  database: Pick<D1Database, "prepare" | "batch">,
  {
    settings,
    nowMs,
    onChain,
  }: {
    readonly settings: BlockchainSettings;
    readonly nowMs: () => number;
    /** Is told the state that the answer is about. */
    readonly onChain: (chain: Chain) => void;
  },
  ask: (view: StateView) => T,
): Promise<T> {
  const endMs = nowMs() + MAX_MS;
  let rows = new KnownRows(settings.chainId);
  let chain = await fetchRows(rows, database, settings);
  let state = stateTag(chain);
  if (latest?.state === state) rows = latest.rows;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const answer = answerOf(() => ask(new PublishedView(rows, settings)));
    if (rows.isComplete) {
      onChain(chain);
      latest = rows.sizeBytes <= MAX_KEPT_BYTES ? { state, rows } : undefined;
      return answer();
    }
    if (nowMs() > endMs) throw givenUp(`no answer after ${attempt + 1} batches of rows in ${MAX_MS} ms`);
    if (rows.sizeBytes > MAX_BYTES) throw givenUp(`no answer with ${rows.sizeBytes} bytes of rows`);
    chain = await fetchRows(rows, database, settings);
    if (stateTag(chain) !== state) {
      rows = new KnownRows(settings.chainId);
      state = stateTag(chain);
    }
  }
  throw givenUp(`no answer after ${MAX_ATTEMPTS} batches of rows`);
}

/** What was read for it is of no use to others. */
function givenUp(reason: string): QuestionTooLarge {
  latest = undefined;
  return new QuestionTooLarge(reason);
}

/** Fetches what is missing. @returns the state that it shows @throws ReadModelUnavailable */
async function fetchRows(
  rows: KnownRows,
  database: Pick<D1Database, "prepare" | "batch">,
  settings: BlockchainSettings,
): Promise<Chain> {
  return readableChain(await rows.fetch(database), settings);
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
