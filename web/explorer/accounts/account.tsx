import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { paths } from "../frame/page-location.ts";
import { useChain } from "../node/chain-feed.ts";
import type { BalanceDetails, ScriptInfo } from "../node/shapes.ts";
import { useNodeData } from "../node/use-node-data.ts";
import { Blot } from "../parts/blot.tsx";
import { Id } from "../parts/id.tsx";
import { Title } from "../parts/title.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { amountText } from "../text/amount-text.ts";
import { AccountData } from "./account-data.tsx";
import { AccountTransactions } from "./account-transactions.tsx";
import { Assets } from "./assets.tsx";
import { Leases } from "./leases.tsx";
import { Nfts } from "./nfts.tsx";
import { Script } from "./script.tsx";

const tabs = [
  { name: undefined, label: "Transactions" },
  { name: "assets", label: "Assets" },
  { name: "nfts", label: "NFTs" },
  { name: "data", label: "Data" },
  { name: "script", label: "Script" },
  { name: "leases", label: "Leases" },
] as const;

interface Props {
  readonly address: string;
  readonly part: string | undefined;
}

export function AccountView({ address, part }: Props): VNode {
  const chain = useChain();
  const path = encodeURIComponent(address);
  const tipId = chain?.tipId;
  const balances = useNodeData<BalanceDetails>(`/addresses/balance/details/${path}`, tipId);
  const aliases = useNodeData<readonly string[]>(`/alias/by-address/${path}`, tipId);
  const script = useNodeData<ScriptInfo>(`/addresses/scriptInfo/${path}`, tipId);
  const hasScript = script.is === "here" && script.value.script !== null;
  return (
    <>
      <Title kind={hasScript ? "Account with a script" : "Account"} name={address} before={<Blot of={address} large />}>
        <Id value={address} isWhole />
      </Title>
      {aliases.is === "here" && aliases.value.length > 0 && <Aliases of={aliases.value} />}
      <Waiting loadable={balances}>{(value) => <Balances of={value} />}</Waiting>
      {balances.is === "here" && (
        <>
          <Tabs address={address} part={part} hasScript={hasScript} />
          <Tab address={address} part={part} tipId={tipId} />
        </>
      )}
    </>
  );
}

function Tabs({ address, part, hasScript }: Props & { readonly hasScript: boolean }): VNode {
  const list = useRef<HTMLElement>(null);
  // A phone has no room for all tabs.
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [part]);
  return (
    <nav class="tabs" aria-label="Parts of the account" ref={list}>
      {tabs.map(({ name, label }) => (
        <a key={label} href={paths.account(address, name)} aria-current={name === part ? "page" : undefined}>
          {label}
          {name === "script" && hasScript && <i class="dot" title="has a script" />}
        </a>
      ))}
    </nav>
  );
}

function Tab({ address, part, tipId }: Props & { readonly tipId: string | undefined }): VNode {
  switch (part) {
    case undefined:
      return <AccountTransactions address={address} tipId={tipId} />;
    case "assets":
      return <Assets address={address} tipId={tipId} />;
    case "nfts":
      return <Nfts address={address} tipId={tipId} />;
    case "data":
      return <AccountData address={address} tipId={tipId} />;
    case "script":
      return <Script address={address} tipId={tipId} />;
    case "leases":
      return <Leases address={address} tipId={tipId} />;
    default:
      return <p class="nothing">An account has no such part.</p>;
  }
}

const shownAliases = 12;

function Aliases({ of }: { readonly of: readonly string[] }): VNode {
  return (
    <p class="aliases">
      {of.slice(0, shownAliases).map((alias) => (
        <span key={alias} class="alias" title={alias}>
          {alias.replace(/^alias:.:/, "")}
        </span>
      ))}
      {of.length > shownAliases && <span class="quiet">and {of.length - shownAliases} more</span>}
    </p>
  );
}

const balanceNames = [
  { name: "regular", label: "Balance", hint: "WAVES that the account has" },
  { name: "available", label: "Available", hint: "Without what is leased out" },
  { name: "effective", label: "Effective", hint: "With what is leased to it, without what is leased out" },
  { name: "generating", label: "Generating", hint: "The lowest effective balance of the last 1,000 blocks" },
] as const;

function Balances({ of }: { readonly of: BalanceDetails }): VNode {
  return (
    <div class="figures">
      {balanceNames.map(({ name, label, hint }) => (
        <div key={name} class="figure" title={hint}>
          <span class="name">{label}</span>
          <span class="value">
            {amountText(of[name], 8n)} <small>WAVES</small>
          </span>
        </div>
      ))}
    </div>
  );
}
