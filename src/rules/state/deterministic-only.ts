/**
 * Options for transactions that this node accepts into its pool and its own blocks: none on which other nodes may
 * disagree.
 */
import { DataSpellings } from "./data-spellings.ts";
import { refusedForeignAddresses } from "./foreign-addresses.ts";
import type { OverlayBlock } from "./overlay-view.ts";

/** Options of an overlay. */
export const deterministicOnly = (): Pick<OverlayBlock, "mayRefuseWork" | "foreignAddresses" | "spellings"> => ({
  mayRefuseWork: true,
  foreignAddresses: refusedForeignAddresses,
  spellings: new DataSpellings({ refuses: true }),
});
