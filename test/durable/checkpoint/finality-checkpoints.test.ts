import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { readCheckpoint } from "../../../scripts/checkpoint/read-checkpoint.ts";
import { writeCheckpoint } from "../../../scripts/checkpoint/write-checkpoint.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { Committee, committeeSettings, deposit } from "../chain/finality/committee.ts";
import { CheckpointHost } from "./checkpoint-host.ts";

const nobody = () => {};

test("a checkpoint holds whose blocks punish generators: fewer WAVES than were issued are all that there are", async () => {
  const options = { balances: [2_000_000n, 2_000_000n, 2_000_000n] };
  const committee = Committee.committed(options);
  committee.append(0, { finalizationVoting: committee.voting({ endorsers: [1], conflicts: [committee.conflict(2)] }) });
  const [before] = [committee.chain.stored.tip()];
  committee.append(1);
  const punished = committee.chain.stored.tip();
  expect(punished.wavesAmount - before.wavesAmount).toBeLessThan(0n);
  expect(deposit).toBeGreaterThan(before.wavesAmount - punished.wavesAmount);
  committee.append(0);

  const { node } = privateNetwork;
  const settings = { name: "committee", blockchain: committeeSettings(options), node };
  const { nowMs, database } = committee.node;
  const folder = mkdtempSync(path.join(os.tmpdir(), "finality-"));
  const file = path.join(folder, "file");
  try {
    await writeCheckpoint(new CheckpointHost(settings, { nowMs, database }).call, file, "all", nobody);
    const host = new CheckpointHost(settings, { nowMs });
    await readCheckpoint(host.call, file, undefined, nobody);
    const tables = stateTables.map(({ name }) => name);
    expect(host.database.dump(tables)).toBe(database.dump(tables));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
