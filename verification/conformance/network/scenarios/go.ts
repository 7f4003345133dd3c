/** The reference's scenarios with the Go node, and with all three kinds together. */
import path from "node:path";
import { forgeFile } from "../forged-file.ts";
import { chainTransactionGenerators, poolTransactionGenerators } from "../go-transaction-generators.ts";
import type { Scenario } from "../scenario.ts";
import { cutAndHealed } from "./heal.ts";
import { forgeAndCompare } from "./mine.ts";
import { importFlags, synced } from "./sync.ts";

export const goSync: Scenario = {
  name: "go-sync",
  about: "the Go node syncs a chain from ours, and ours that chain from the Go node",
  needs: ["go"],
  play: async (stage) => {
    const forged = forgeFile(stage, stage.sizes.syncBlocks, {
      transactionGenerators: chainTransactionGenerators,
      challenges: 2,
    });
    const folder = path.join(stage.folder, "go-with-blocks");
    const away = await synced(stage, forged, "from ours", [
      { kind: "ours", isMining: false, flags: importFlags(stage, forged) },
      { kind: "go", isMining: false, folder },
    ]);
    const back = await synced(stage, forged, "from the Go node", [
      { kind: "go", isMining: false, folder },
      { kind: "ours", isMining: false },
    ]);
    return [...away, ...back];
  },
};

export const goMine: Scenario = {
  name: "go-mine",
  about: "ours and the Go node forge one chain, with transactions sent to both",
  needs: ["go"],
  play: (stage) => forgeAndCompare(stage, ["go", "ours"], stage.sizes.threeBlocks, poolTransactionGenerators()),
};

export const goHeal: Scenario = {
  name: "go-heal",
  about: "the link between ours and the Go node is cut and healed",
  needs: ["go"],
  play: (stage) => cutAndHealed(stage, ["go", "ours"], Math.ceil(stage.sizes.cuts / 3)),
};

export const three: Scenario = {
  name: "three",
  about: "nodes of three kinds forge one chain",
  needs: ["reference", "go"],
  play: (stage) =>
    forgeAndCompare(stage, ["reference", "go", "ours"], stage.sizes.threeBlocks, poolTransactionGenerators()),
};

export const others: Scenario = {
  name: "others",
  about: "the reference and the Go node forge one chain without ours: what goes wrong there is not its fault",
  needs: ["reference", "go"],
  play: (stage) => forgeAndCompare(stage, ["reference", "go"], stage.sizes.threeBlocks, poolTransactionGenerators()),
};

export const othersHeal: Scenario = {
  name: "others-heal",
  about: "the link between the reference and the Go node is cut and healed",
  needs: ["reference", "go"],
  play: (stage) => cutAndHealed(stage, ["reference", "go"], Math.ceil(stage.sizes.cuts / 3)),
};
