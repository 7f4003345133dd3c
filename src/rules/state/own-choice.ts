/** Transactions that this node takes into its pool and its own blocks: none of which other nodes may think differently. */
import { DataSpellings } from "./data-spellings.ts";
import { refusedForeignAddresses } from "./foreign-addresses.ts";
import type { OverlayBlock } from "./overlay-view.ts";

/** Facts of an overlay. */
export const ownChoice = (): Pick<OverlayBlock, "mayRefuseWork" | "foreignAddresses" | "spellings"> => ({
  mayRefuseWork: true,
  foreignAddresses: refusedForeignAddresses,
  spellings: new DataSpellings({ refuses: true }),
});
