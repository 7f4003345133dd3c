/**
 * Settings of the REST interface: the group `waves.rest-api` of a `network.json`, with the reference's defaults.
 * @source spec/rest-api.md 1.1
 */
import * as z from "zod";

const count = z.int().positive();

const corsSchema = z.object({
  "access-control-allow-origin": z.string().default("origin-from-request"),
  "access-control-allow-credentials": z.boolean().default(true),
  "access-control-allow-headers": z
    .array(z.string())
    .default(["Authorization", "Content-Type", "X-Requested-With", "Timestamp", "Signature"]),
  "access-control-allow-methods": z.array(z.string()).default(["OPTIONS", "POST", "PUT", "GET", "DELETE"]),
});

const restApiSchema = z.object({
  "transactions-by-address-limit": count.default(1000),
  "transaction-snapshots-limit": count.default(100),
  "asset-details-limit": count.default(100),
  "distribution-address-limit": count.default(1000),
  "data-keys-request-limit": count.default(1000),
  "blocks-request-limit": count.default(100),
  "evaluate-script-complexity-limit": count.default(52_000),
  "cors-headers": corsSchema.prefault({}),
});

export interface CorsSettings {
  /** An origin, `*`, or `origin-from-request`. */
  readonly allowOrigin: string;
  readonly allowCredentials: boolean;
  readonly allowHeaders: readonly string[];
  readonly allowMethods: readonly string[];
}

export interface RestSettings {
  /** Ids of one request about transactions or leases, addresses of one about balances, transactions of a page. */
  readonly transactionsLimit: number;
  /** Ids of one request about change sets. */
  readonly snapshotsLimit: number;
  /** Ids of one request about assets. */
  readonly assetsLimit: number;
  /** Holders of a page of an asset's distribution. */
  readonly holdersLimit: number;
  /** Keys of one request about data entries. */
  readonly dataKeysLimit: number;
  /** Width of a range of blocks. */
  readonly blocksLimit: number;
  /** What an evaluated expression or call may spend. */
  readonly evaluationComplexity: number;
  readonly cors: CorsSettings;
}

/** @param group the group `waves.rest-api`, undefined for none @throws ZodError that names the setting */
export function parseRestSettings(group: unknown): RestSettings {
  const settings = restApiSchema.parse(group ?? {});
  const cors = settings["cors-headers"];
  return {
    transactionsLimit: settings["transactions-by-address-limit"],
    snapshotsLimit: settings["transaction-snapshots-limit"],
    assetsLimit: settings["asset-details-limit"],
    holdersLimit: settings["distribution-address-limit"],
    dataKeysLimit: settings["data-keys-request-limit"],
    blocksLimit: settings["blocks-request-limit"],
    evaluationComplexity: settings["evaluate-script-complexity-limit"],
    cors: {
      allowOrigin: cors["access-control-allow-origin"],
      allowCredentials: cors["access-control-allow-credentials"],
      allowHeaders: cors["access-control-allow-headers"],
      allowMethods: cors["access-control-allow-methods"],
    },
  };
}
