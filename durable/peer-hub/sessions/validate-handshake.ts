/** Validation of a peer's handshake. @source Waves: network/HandshakeHandler.scala */
import type { Handshake, NodeVersion } from "../../../src/protocol/messages/handshake.ts";
import { peerAddressText } from "../../../src/protocol/messages/peer-address-text.ts";
import { invalidDeclaredPort, otherApplication, unsupportedVersion } from "./reasons.ts";

const MAX_PORT = 65_535;

/** @returns reason to blacklist the host; undefined: the handshake is valid */
export function findHandshakeError(theirs: Handshake, ours: Handshake): string | undefined {
  const port = theirs.declaredAddress?.port ?? 0;
  if (port < 0 || port > MAX_PORT) return invalidDeclaredPort(port);
  if (theirs.applicationName !== ours.applicationName) return otherApplication(theirs, ours);
  return isSupported(theirs.version) ? undefined : unsupportedVersion(theirs.version);
}

function isSupported({ major, minor }: NodeVersion): boolean {
  return (major === 0 && minor >= 13) || (major === 1 && minor >= 0);
}

/** Whether the handshake is this node's own: it has dialed itself. */
export function isOurOwn(theirs: Handshake, ours: Handshake): boolean {
  const addressOf = ({ declaredAddress }: Handshake): string =>
    declaredAddress ? peerAddressText(declaredAddress) : "";
  return theirs.nonce === ours.nonce && theirs.nodeName === ours.nodeName && addressOf(theirs) === addressOf(ours);
}
