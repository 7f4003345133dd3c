/**
 * Reported addresses that were not tried yet, by the network of the reporting peer: networks take turns. At the limit
 * the network with the most addresses loses its oldest one.
 */
import { subscriberOf, widestNetworkOf } from "../../../src/network/subscriber.ts";
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import { peerAddressText } from "../../../src/protocol/messages/peer-address-text.ts";

export class Candidates {
  readonly #max: number;
  /** Candidates by the network of the reporting peer, the next one in turn first; of each network the oldest first. */
  readonly #ofNetworks = new Map<string, Map<string, PeerAddress>>();
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  has(place: string): boolean {
    for (const ofNetwork of this.#ofNetworks.values()) if (ofNetwork.has(place)) return true;
    return false;
  }

  /** @param teller address of the reporting peer */
  add(address: PeerAddress, teller: Uint8Array): void {
    const network = widestNetworkOf(subscriberOf(teller));
    const ofNetwork = this.#ofNetworks.get(network) ?? new Map<string, PeerAddress>();
    this.#ofNetworks.set(network, ofNetwork.set(peerAddressText(address), address));
    this.#size += 1;
    while (this.#size > this.#max) this.#makeRoom();
  }

  /** The next one to try, which is none any more. @param isOut passes over it */
  take(isOut: (address: PeerAddress) => boolean): PeerAddress | undefined {
    for (const [network, ofNetwork] of [...this.#ofNetworks])
      for (const [place, address] of ofNetwork) {
        this.#delete(network, place);
        if (isOut(address)) continue;
        // The others have their turn first.
        if (this.#ofNetworks.delete(network) && ofNetwork.size > 0) this.#ofNetworks.set(network, ofNetwork);
        return address;
      }
    return undefined;
  }

  drop(isOver: (place: string, address: PeerAddress) => boolean): void {
    for (const [network, ofNetwork] of this.#ofNetworks)
      for (const [place, address] of ofNetwork) if (isOver(place, address)) this.#delete(network, place);
  }

  #makeRoom(): void {
    let [network, most] = ["", new Map<string, PeerAddress>()];
    for (const [name, ofNetwork] of this.#ofNetworks)
      if (ofNetwork.size > most.size) [network, most] = [name, ofNetwork];
    const [oldest] = most.keys();
    if (oldest !== undefined) this.#delete(network, oldest);
  }

  #delete(network: string, place: string): void {
    const ofNetwork = this.#ofNetworks.get(network);
    if (ofNetwork?.delete(place)) this.#size -= 1;
    if (ofNetwork?.size === 0) this.#ofNetworks.delete(network);
  }
}
