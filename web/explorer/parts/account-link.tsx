import type { VNode } from "preact";
import { paths } from "../frame/page-location.ts";
import { Blot } from "./blot.tsx";
import { Id } from "./id.tsx";

/** Link to an account, by address or by alias as in transactions: `alias:R:name`. */
export function AccountLink({ of, isWhole }: { readonly of: string; readonly isWhole?: boolean }): VNode {
  if (of.startsWith("alias:")) return <a href={paths.search(of)}>{of}</a>;
  return (
    <span class="account">
      <Blot of={of} />
      <Id value={of} href={paths.account(of)} isWhole={isWhole} />
    </span>
  );
}
