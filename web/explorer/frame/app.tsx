import type { VNode } from "preact";
import { AccountView } from "../accounts/account.tsx";
import { AssetView } from "../views/asset.tsx";
import { BlockView } from "../views/block.tsx";
import { Blocks } from "../views/blocks.tsx";
import { Check } from "../views/check.tsx";
import { Generators } from "../views/generators.tsx";
import { Home } from "../views/home.tsx";
import { NotFound } from "../views/not-found.tsx";
import { SearchView } from "../views/search.tsx";
import { TransactionView } from "../views/transaction.tsx";
import { type PageLocation, useLocation } from "./page-location.ts";
import { TopLine } from "./top-line.tsx";

export function App(): VNode {
  const place = useLocation();
  return (
    <>
      <TopLine />
      <main id="main">{viewOf(place)}</main>
    </>
  );
}

/** Different items of one kind get different keys, so no state of one view shows in another. */
function viewOf({ segments, query }: PageLocation): VNode {
  const [kind, of, part] = segments;
  if (kind === undefined) return <Home />;
  if (of === undefined) {
    if (kind === "blocks") return <Blocks />;
    if (kind === "generators") return <Generators />;
    if (kind === "check") return <Check />;
    if (kind === "search") return <SearchView key={query.get("for")} text={query.get("for") ?? ""} />;
    return <NotFound />;
  }
  switch (kind) {
    case "block":
      return <BlockView key={of} of={of} />;
    case "transaction":
      return <TransactionView key={of} id={of} />;
    case "account":
      return <AccountView key={of} address={of} part={part} />;
    case "asset":
      return <AssetView key={of} id={of} />;
    default:
      return <NotFound />;
  }
}
