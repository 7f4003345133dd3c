import type { VNode } from "preact";
import { findDenomination } from "../node/asset-details.ts";
import type { Payment } from "../node/shapes.ts";
import { parseAmount } from "../text/amount-text.ts";
import { ArgumentError } from "./call-arguments.ts";

/** Payment as typed: whole units of an asset, WAVES when the asset is empty. */
export interface TypedPayment {
  readonly amount: string;
  readonly asset: string;
}

export const emptyPayment: TypedPayment = { amount: "", asset: "" };

interface Props {
  readonly payments: readonly TypedPayment[];
  readonly onChange: (payments: readonly TypedPayment[]) => void;
}

export function PaymentFields({ payments, onChange }: Props): VNode {
  const change = (index: number, part: Partial<TypedPayment>): void =>
    onChange(payments.map((payment, at) => (at === index ? { ...payment, ...part } : payment)));
  return (
    <>
      {payments.map((payment, index) => (
        <fieldset key={index} class="row payment">
          <legend>Payment {index + 1}</legend>
          <input
            aria-label="Amount"
            inputMode="decimal"
            placeholder="1.5"
            value={payment.amount}
            onInput={(event) => change(index, { amount: event.currentTarget.value })}
          />
          <input
            aria-label="Asset"
            placeholder="WAVES, or an asset's id"
            spellcheck={false}
            value={payment.asset}
            onInput={(event) => change(index, { asset: event.currentTarget.value })}
          />
          <button
            type="button"
            aria-label={`Take payment ${index + 1} away`}
            onClick={() => onChange(payments.filter((_, at) => at !== index))}
          >
            ×
          </button>
        </fieldset>
      ))}
    </>
  );
}

/** @throws ArgumentError invalid amount or asset; NodeError the node does not respond */
export async function parsePayments(payments: readonly TypedPayment[]): Promise<readonly Payment[]> {
  return Promise.all(
    payments.map(async ({ amount, asset }) => {
      const name = asset.trim();
      const assetId = name === "" || name.toUpperCase() === "WAVES" ? null : name;
      const denomination = await findDenomination(assetId);
      if (denomination === null) throw new ArgumentError(`There is no asset ${name}.`);
      const value = parseAmount(amount, denomination.decimals);
      if (value !== undefined) return { assetId, amount: value };
      throw new ArgumentError(
        `“${amount}” is no amount: digits, with at most ${denomination.decimals} after the point.`,
      );
    }),
  );
}
