/**
 * Connection from PeerHub to the local runner, over a local port. Only the runner can listen for peers and resolve host
 * names. PeerHub sends one line for each connection, which determines what follows.
 */
import * as z from "zod";
import { parseForm } from "./parse-network.ts";

/** Port on which the runner waits for PeerHub: the binding `PEER_BRIDGE`. */
export interface PeerBridge {
  readonly port: number;
  /** First word of each line; without it the runner refuses the connection. */
  readonly token: string;
}

const form = z.object({ port: z.int(), token: z.string() });

/** @param binding JSON @throws NetworkSettingsError */
export function parsePeerBridge(binding: string): PeerBridge {
  return parseForm(form, JSON.parse(binding));
}

/** Request of PeerHub. */
export type BridgeRequest =
  /** Takes over the peer's connection with this id; further bytes pass through unchanged. */
  | { readonly kind: "accept"; readonly id: string }
  /** Resolves the addresses of a host: the response is one line with commas between them. */
  | { readonly kind: "resolve"; readonly id: string };

/** Maximum length of a line, including its end. */
export const MAX_BRIDGE_LINE_BYTES = 512;

export function bridgeLine({ token }: PeerBridge, { kind, id }: BridgeRequest): string {
  return `${token} ${kind} ${id}\n`;
}

/** @param line without its end @returns undefined for a malformed line or a wrong token */
export function parseBridgeLine({ token }: PeerBridge, line: string): BridgeRequest | undefined {
  const [given, kind, id, ...more] = line.split(" ");
  if (given !== token || id === undefined || more.length > 0) return undefined;
  return kind === "accept" || kind === "resolve" ? { kind, id } : undefined;
}
