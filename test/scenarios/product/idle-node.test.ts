/** Between two blocks the node is idle, and the runtime evicts an object after ten idle seconds. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readyNode } from "../../../verification/local-node.ts";
import { getJson, temporaryFolder } from "../../support/builders/started-node.ts";

test("a node goes on forging when its blocks are further apart than the runtime keeps an idle object", async () => {
  const folder = temporaryFolder();
  const settings = JSON.parse(readFileSync("test/fixtures/networks/private.json", "utf8"));
  settings.waves.blockchain.custom.functionality["min-block-time"] = "14s";
  settings.waves.blockchain.custom.genesis["average-block-delay"] = "15s";
  const network = path.join(folder.path, "slow.json");
  writeFileSync(network, JSON.stringify(settings));
  const node = await readyNode(["--network", network, "--memory"]);
  const startedMs = Date.now();
  const tipTimestamp = async (): Promise<number> =>
    (await getJson<{ timestamp: number }>(`${node.url}/blocks/headers/last`)).timestamp;
  // The first blocks catch up with the clock; the second one after that has waited for its whole interval.
  const later: number[] = [];
  // Reads are served from the read model: they do not keep ChainState awake.
  const look = async (): Promise<number> => {
    const timestamp = await tipTimestamp();
    if (timestamp > startedMs && !later.includes(timestamp)) later.push(timestamp);
    return later.length;
  };
  await expect.poll(look, { interval: 500 }).toBeGreaterThanOrEqual(2);
  await node.stop();
  folder.remove();
  expect((later[1] as number) - (later[0] as number)).toBeGreaterThanOrEqual(14_000);
});
