/** The wallet of a reference node, which has no accounts until a request creates them. */
import { addressText } from "../../../src/crypto/address.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { type ParsedJson, parseJson } from "../../../src/protocol/parse-json.ts";
import { patientFetch } from "../patient-fetch.ts";
import type { NetworkNode } from "./network-node.ts";
import { minerIndexes, minerOf, type ShortNetwork } from "./short-network.ts";

/** Creates the miner's account and removes all others: the reference challenges only with accounts of its wallet. */
export async function fillWallet({ url }: NetworkNode, network: ShortNetwork): Promise<void> {
  const ask = async (place: string, method: string): Promise<ParsedJson> => {
    const headers = { "X-Api-Key": privateNetworkSecrets.apiKey };
    const { ok, status, text } = await patientFetch(`${url}/addresses${place}`, { method, headers });
    if (!ok) throw new Error(`${method} /addresses${place}: ${status} ${text}`);
    return parseJson(text);
  };
  const miner = addressText(minerOf(network, "reference").address);
  const addresses = async () => (await ask("", "GET")) as readonly string[];
  for (let made = 0; made <= minerIndexes.reference && !(await addresses()).includes(miner); made++)
    await ask("", "POST");
  for (const address of await addresses()) if (address !== miner) await ask(`/${address}`, "DELETE");
}
