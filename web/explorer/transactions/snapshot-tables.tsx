import type { VNode } from "preact";
import { isJsonObject, type ParsedJson } from "../../../src/protocol/parse-json.ts";
import { paths } from "../frame/page-location.ts";
import type { AssetId, DataEntry } from "../node/shapes.ts";
import { useNodeData } from "../node/use-node-data.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Amount } from "../parts/amount.tsx";
import { Id } from "../parts/id.tsx";
import { RideValue } from "../parts/ride-value.tsx";
import { Nothing, Waiting } from "../parts/waiting.tsx";
import { DataEntries } from "./data-entries.tsx";

interface Snapshot {
  readonly balances: readonly { readonly address: string; readonly asset: AssetId; readonly balance: bigint }[];
  readonly accountData: readonly { readonly address: string; readonly data: readonly DataEntry[] }[];
  /** From feature 25 on. */
  readonly nextCommittedGenerators?: readonly { readonly publicKey: string; readonly blsPublicKey: string }[];
}

/** Shown in separate tables, or above. */
const separateMembers = ["applicationStatus", "balances", "accountData", "nextCommittedGenerators"];

/**
 * State snapshot of a transaction: new values, not differences.
 * @source docs/protocol/rest-api.md 3.12
 */
export function SnapshotTables({ id }: { readonly id: string }): VNode {
  const response = useNodeData<Snapshot>(`/transactions/snapshot/${id}`);
  return (
    <Waiting loadable={response} unknown="The node has no record of this.">
      {(snapshot) => (
        <div class="changes">
          {snapshot.balances.length > 0 && (
            <section>
              <h4>Balances after it</h4>
              <ul class="plain">
                {snapshot.balances.map(({ address, asset, balance }) => (
                  <li key={`${address}${asset}`}>
                    <AccountLink of={address} /> <Amount value={balance} of={asset} />
                  </li>
                ))}
              </ul>
            </section>
          )}
          {snapshot.accountData.map(({ address, data }) => (
            <section key={address}>
              <h4>
                Data of <AccountLink of={address} />
              </h4>
              <DataEntries of={data} />
            </section>
          ))}
          {snapshot.nextCommittedGenerators !== undefined && snapshot.nextCommittedGenerators.length > 0 && (
            <section>
              <h4>Committed to generate in the next period</h4>
              <ul class="plain">
                {snapshot.nextCommittedGenerators.map(({ publicKey, blsPublicKey }) => (
                  <li key={publicKey}>
                    <Id value={publicKey} href={paths.search(publicKey)} /> endorses with <Id value={blsPublicKey} />
                  </li>
                ))}
              </ul>
            </section>
          )}
          {Object.entries(snapshot)
            .filter(([name, list]) => !separateMembers.includes(name) && Array.isArray(list) && list.length > 0)
            .map(([name, list]) => (
              <section key={name}>
                <h4>{spacedName(name)}</h4>
                <Items of={list as readonly ParsedJson[]} />
              </section>
            ))}
          {Object.values(snapshot).every((list) => !Array.isArray(list) || list.length === 0) && (
            <Nothing>It changed nothing.</Nothing>
          )}
        </div>
      )}
    </Waiting>
  );
}

/** Items whose field names are clear enough to show as they are. */
function Items({ of }: { readonly of: readonly ParsedJson[] }): VNode {
  return (
    <ul class="plain">
      {of.filter(isJsonObject).map((item, index) => (
        <li key={index} class="fields">
          {Object.entries(item).map(([name, value]) => (
            <span key={name}>
              <span class="v-name">{name}</span> <RideValue type={plainType(value)} value={value} />
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

function plainType(value: ParsedJson): string | undefined {
  return typeof value === "bigint" ? "integer" : typeof value === "string" ? "binary" : undefined;
}

/** `leaseBalances` as words. */
function spacedName(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
