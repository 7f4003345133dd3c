import type { VNode } from "preact";
import type { Call, Payment } from "../node/shapes.ts";
import { Amount } from "../parts/amount.tsx";
import { RideValue } from "../parts/ride-value.tsx";

/** Call as source code: `buy("a lamp", 2)`. */
export function CallText({ of }: { readonly of: Call | null | undefined }): VNode {
  const call = of ?? { function: "default", args: [] };
  return (
    <span class="call-text">
      <b>{call.function}</b>(
      {call.args.map(({ type, value }, index) => (
        <span key={index}>
          {index > 0 && ", "}
          <RideValue type={type} value={value} />
        </span>
      ))}
      )
    </span>
  );
}

export function Payments({ of }: { readonly of: readonly Payment[] }): VNode {
  return (
    <span class="payments">
      {of.map(({ assetId, amount }, index) => (
        <Amount key={index} value={amount} of={assetId} />
      ))}
    </span>
  );
}
