/** Families of hostile cases: dApps of one kind with their calls, or requests of one kind. */
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { FuzzCall } from "../dapp-writer.ts";

export interface FamilyDApp {
  readonly libraryVersion: number;
  readonly script: Uint8Array;
  readonly calls: readonly FamilyCall[];
  /** Calls that bring a reference node into the state that this node assumes. */
  readonly before?: readonly FuzzCall[];
}

export interface FamilyCall extends FuzzCall {
  /** Description of the case. */
  readonly note: string;
}

export interface FuzzFamily {
  readonly name: string;
  readonly summary: string;
  /** Error messages may differ: they come from the platform, and vary. */
  readonly messages?: "any";
  /** @param count total of calls in all dApps */
  readonly dApps: (random: SeededRandom, count: number) => readonly FamilyDApp[] | Promise<readonly FamilyDApp[]>;
}

/** Family of requests sent to both nodes over HTTP. */
export interface RequestFamily {
  readonly name: string;
  readonly summary: string;
  readonly requests: (random: SeededRandom, count: number) => Promise<readonly FamilyRequest[]>;
}

export interface FamilyRequest {
  readonly path: string;
  readonly mediaType: "text/plain" | "application/json";
  readonly body: string;
}

export function binaryArgument(bytes: Uint8Array): FuzzCall["args"][number] {
  return { type: "binary", value: `base64:${Buffer.from(bytes).toString("base64")}` };
}
