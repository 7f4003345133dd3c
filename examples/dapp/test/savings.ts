/** The dApp as tests use it. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { broadcast, invokeScript, setScript, transfer } from "@waves/waves-transactions";
import type { DevAccount, DevNode } from "waves-edge-node/testing";

export const day = 24 * 60 * 60 * 1000;
export const waves = 100_000_000;
export const chainId = "R";

/** Account without a known seed. */
export const owner = {
  address: "3MNgfVYDUmCXTnFq2Nt8Jq9jZmeVL8AQeAA",
  publicKey: "JCYwgCJttGBgvV1DnUDJFgcnTBQ3qLJLSVj7thgBNCXF",
};

/** Account of the dApp: the first of the chain's; the others save. */
export const dAppOf = (node: DevNode): DevAccount => node.accounts[0] as DevAccount;
export const saversOf = (node: DevNode) => node.accounts.slice(1) as [DevAccount, DevAccount];

/** Sets the script on its account, and adds 100 WAVES for interest to its balance. */
export async function deploy(node: DevNode): Promise<void> {
  const source = await readFile(path.join(import.meta.dirname, "..", "savings.ride"), "utf8");
  const script = await node.compile(source);
  await broadcast(setScript({ script, chainId, fee: 2_000_000 }, dAppOf(node).seed), node.url);
  await node.fund(dAppOf(node).address, 100 * waves);
}

type Argument = { readonly type: "integer"; readonly value: number };

export interface Call {
  readonly name: string;
  readonly args?: readonly number[];
  /** Wavelets, or units of the asset. */
  readonly pays?: number;
  readonly asset?: string;
}

/** Invocation of the dApp; unsigned if its sender is a public key. */
export function invocation(node: DevNode, { name, args = [], pays, asset }: Call, sender: DevAccount | string) {
  const call = {
    dApp: dAppOf(node).address,
    call: { function: name, args: args.map((value): Argument => ({ type: "integer", value })) },
    payment: pays === undefined ? [] : [{ amount: pays, assetId: asset ?? null }],
    fee: 500_000,
    chainId,
  };
  return typeof sender === "string"
    ? invokeScript({ ...call, senderPublicKey: sender })
    : invokeScript(call, sender.seed);
}

/** Sends it; it is in a block when the promise resolves. @throws the node's error */
export function invoke(node: DevNode, call: Call, sender: DevAccount | string) {
  return broadcast(invocation(node, call, sender), node.url);
}

export function pay(node: DevNode, from: DevAccount, to: string, amount: number) {
  return broadcast(transfer({ recipient: to, amount, chainId, fee: 500_000 }, from.seed), node.url);
}
