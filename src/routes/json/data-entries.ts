/** Data entries in the bodies of requests other than transactions. */
import type { Address } from "../../crypto/identities.ts";
import type { ParsedObject } from "../../protocol/parse-json.ts";
import { checkDataEntries } from "../../protocol/transactions/data.ts";
import { dataEntryRequest } from "../../protocol/transactions/data-entry.ts";
import * as json from "../../protocol/transactions/json-reader.ts";
import { parseAddressText } from "../../protocol/transactions/recipient.ts";
import type { DataEntry } from "../../protocol/transactions/transaction.ts";

const members = json.object({
  address: json.required(json.text),
  entries: json.required(json.list(dataEntryRequest)),
});

/** @throws FormatError with invalid members, or with the error that a Data transaction with such entries would have */
export function dataEntriesOf(
  body: ParsedObject,
  chainId: number,
): { readonly address: Address; readonly entries: readonly DataEntry[] } {
  const read = members(body);
  if (read instanceof json.Refused) throw json.complaintsError(read);
  checkDataEntries(read.entries);
  return { address: parseAddressText(read.address, chainId), entries: read.entries };
}
