/** Routes on an address or key alone. @source docs/protocol/rest-api.md 2.1 */

import * as z from "zod";
import { addressOfPublicKey, addressText, parseAddress } from "../../crypto/address.ts";
import { constant, json } from "../../http/route-response.ts";
import { publicKey, text } from "../../http/value-kinds.ts";
import { route } from "../../services/context.ts";
import { address as addressSchema } from "../schemas/values.ts";

const validate = route({
  method: "GET",
  path: "/addresses/validate/:address",
  dependsOn: "request",
  params: { address: text },
  description: {
    tag: "addresses",
    summary: "Whether a text is an address of this network",
    response: () => z.strictObject({ address: z.string(), valid: z.boolean() }),
    examples: [{ params: { address: "3M2JLttEykHDndrbdEuQja5noUKhrXxWbgw" } }],
  },
  handle: ({ params: { address }, chainId }) =>
    json({ address, valid: parseAddress(address, chainId) instanceof Uint8Array }, constant),
});

const ofPublicKey = route({
  method: "GET",
  path: "/addresses/publicKey/:publicKey",
  dependsOn: "request",
  params: { publicKey },
  description: {
    tag: "addresses",
    summary: "Address of a public key",
    response: () => z.strictObject({ address: addressSchema() }),
    examples: [{ params: { publicKey: "AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV" } }],
  },
  handle: ({ params, chainId }) =>
    json({ address: addressText(addressOfPublicKey(params.publicKey, chainId)) }, constant),
});

export const addressRoutes = [validate, ofPublicKey];
