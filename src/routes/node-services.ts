/** What one node's Worker keeps from request to request: settings and caches. */
import * as z from "zod";
import type { Env } from "../env.ts";
import { type ApiKeyGuard, apiKeyGuard } from "../http/api-key.ts";
import { parseRestSettings, type RestSettings } from "../http/rest-settings.ts";
import { isNetworkName } from "../network/named-networks.ts";
import { networkOfBinding } from "../network/network-of-binding.ts";
import { parseSecrets, parseSettingsJson } from "../network/parse-network.ts";
import type { NetworkSettings } from "../network/settings.ts";
import { FinalObjects } from "../read-model/final-objects.ts";
import { ReaderWakes } from "./reader-wakes.ts";
import { UnknownIds } from "./unknown-ids.ts";

export interface NodeServices {
  readonly network: NetworkSettings;
  readonly limits: RestSettings;
  readonly hasApiKey: ApiKeyGuard;
  readonly finals: FinalObjects;
  readonly unknownIds: UnknownIds;
  readonly readerWakes: ReaderWakes;
}

/** Settings that the Worker reads of its environment. */
const settingsSchema = z.object({ NETWORK: z.string().min(1), API_KEY_HASH: z.string().optional() });
const restGroup = z.object({ waves: z.object({ "rest-api": z.unknown() }) });

function readSettings(env: Env): Omit<NodeServices, "finals" | "unknownIds" | "readerWakes"> {
  const { NETWORK: binding, API_KEY_HASH: apiKeyHash } = settingsSchema.parse(env);
  const network = networkOfBinding(binding);
  const file = isNetworkName(binding) ? {} : parseSettingsJson(binding);
  const rest = restGroup.safeParse(file);
  return {
    network,
    limits: parseRestSettings(rest.success ? rest.data.waves["rest-api"] : undefined),
    hasApiKey: apiKeyGuard(apiKeyHash ?? parseSecrets(file).apiKeyHash ?? ""),
  };
}

/** An isolate has one environment; tests have many. */
const servicesOfEnvironments = new WeakMap<Env, NodeServices>();

/** @throws ZodError, NetworkSettingsError for settings with which no node can run */
export function servicesOf(env: Env): NodeServices {
  const known = servicesOfEnvironments.get(env);
  if (known !== undefined) return known;
  const services = {
    ...readSettings(env),
    finals: new FinalObjects(env.FINAL, Date.now),
    unknownIds: new UnknownIds(),
    readerWakes: new ReaderWakes(),
  };
  servicesOfEnvironments.set(env, services);
  return services;
}
