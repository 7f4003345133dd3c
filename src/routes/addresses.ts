/** What follows from an address or key alone. @source spec/rest-api.md 2.1 */
import { addressOfPublicKey, addressText, parseAddress } from "../crypto/address.ts";
import { constant, json } from "../http/reply.ts";
import { publicKey, text } from "../http/value-kinds.ts";
import { route } from "./context.ts";

const validate = route({
  method: "GET",
  path: "/addresses/validate/:address",
  params: { address: text },
  handle: ({ params: { address }, chainId }) =>
    json({ address, valid: parseAddress(address, chainId) instanceof Uint8Array }, constant),
});

const ofPublicKey = route({
  method: "GET",
  path: "/addresses/publicKey/:publicKey",
  params: { publicKey },
  handle: ({ params, chainId }) =>
    json({ address: addressText(addressOfPublicKey(params.publicKey, chainId)) }, constant),
});

export const addressRoutes = [validate, ofPublicKey];
