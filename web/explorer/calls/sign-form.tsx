import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { paths } from "../frame/page-location.ts";
import { refresh } from "../node/chain-feed.ts";
import { errorText, post } from "../node/node-request.ts";
import { Id } from "../parts/id.tsx";
import { ErrorMessage } from "../parts/waiting.tsx";
import { amountText, parseAmount } from "../text/amount-text.ts";
import type { ReadCall } from "./read-call.ts";
import { loadSigner, signedCall } from "./signed-call.ts";

interface Props {
  readonly dApp: string;
  /** @throws ArgumentError */
  readonly read: () => Promise<ReadCall>;
}

type State =
  | { readonly is: "idle" | "sending" }
  | { readonly is: "sent"; readonly id: string }
  | { readonly is: "fault"; readonly message: string };

const usualFee = 500_000n;

/**
 * Signs the call with a typed seed and sends it. The seed exists only in this field: it goes neither to the node nor
 * into the browser's storage, and is lost when the page closes.
 */
export function SignForm({ dApp, read }: Props): VNode {
  const [state, setState] = useState<State>({ is: "idle" });
  const sign = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setState({ is: "sending" });
    try {
      const fee = parseAmount(String(fields.get("fee")), 8n);
      if (fee === undefined) throw new Error("The fee is no amount of WAVES.");
      const signer = await loadSigner(String(fields.get("seed")));
      const tx = await signedCall({ dApp, ...(await read()), fee, signer, timestampMs: Date.now() });
      const { id } = await post<{ readonly id: string }>("/transactions/broadcast", tx);
      setState({ is: "sent", id });
      refresh();
    } catch (error) {
      setState({ is: "fault", message: errorText(error) });
    }
  };
  return (
    <details class="sign">
      <summary>Sign it and send it</summary>
      <form class="stack" onSubmit={(event) => void sign(event)} autocomplete="off">
        <p class="warning">
          Only with a seed of a test account. It stays in this page's memory and is forgotten with it; a page that asks
          for the seed of real money is not to be trusted, this one included.
        </p>
        <label>
          <span>Seed</span>
          <input name="seed" type="password" required autocomplete="off" spellcheck={false} />
        </label>
        <label>
          <span>
            Fee <span class="v-type">WAVES</span>
          </span>
          <input name="fee" inputMode="decimal" required defaultValue={amountText(usualFee, 8n)} />
        </label>
        <div class="row actions">
          <button type="submit" class="danger" disabled={state.is === "sending"}>
            Sign and send
          </button>
        </div>
      </form>
      <div aria-live="polite">
        {state.is === "sent" && (
          <p class="sent">
            Sent: <Id value={state.id} href={paths.transaction(state.id)} canCopy />
          </p>
        )}
        {state.is === "fault" && <ErrorMessage>{state.message}</ErrorMessage>}
      </div>
    </details>
  );
}
