/** Requests in all forms that clients may use: `Accept` headers, form bodies, charsets and ids. */
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { hexText } from "../../src/crypto/hex.ts";
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { ChainInventory } from "./chain-inventory.ts";
import type { NodeRequest } from "./node-requests.ts";

const apiKey = { "X-API-Key": privateNetworkSecrets.apiKey };
const strings = "large-significand-format=string";
const mediaTypes = [
  ...["application/json", "application/json", "application/json", "APPLICATION/JSON", "application/*", "*/*", "*"],
  ...[
    "text/html",
    "text/*",
    "image/png",
    "multipart/mixed",
    "text",
    "text/",
    "/json",
    "*/json",
    "text/ html",
    "text /html",
    "",
  ],
];
const parameters = [
  ...["", "", ";", `;${strings}`, `; ${strings}`, ` ; ${strings}`, `;${strings.toUpperCase()}`],
  ...[
    `;large-significand-format="string"`,
    ";large-significand-format=number",
    ";charset=utf-8",
    ";charset=x",
    ";a=b",
    ";a",
  ],
  ...[
    ';a="b, c"',
    ';a="b',
    ";a = b",
    ";q=1",
    ";q=0",
    ";q=0.5",
    ";q=.25",
    ";q=1e-1",
    ";q=2",
    ";q=-1",
    ";q=x",
    ";Q=0.1",
    ";q",
  ],
];
const charsets = [
  ...["", ";charset=utf-8", "; charset=UTF-16", ";charset=utf-16le", ";charset=utf-16be", ";charset=iso-8859-1"],
  ...[
    ";charset=us-ascii",
    "; Charset=windows-1251",
    ';charset="koi8-r"',
    ";charset=nonsense",
    ";charset=",
    ";a=b; charset=utf-16",
  ],
];
const texts = [
  "",
  "abc",
  '"quoted"',
  "привет",
  "ä€",
  "\ufefftext",
  "a\0b",
  "halves 😀",
  "{-# STDLIB_VERSION 6 #-}\ntrue",
  "1 == 2",
];
const boundaries = ["X", "----WebKitFormBoundary7MA4YWxkTrZu0gW", "a.b'c", "0"];

/** @param count requests of each kind */
export function* requestsInAllForms(chain: ChainInventory, random: SeededRandom, count: number): Iterable<NodeRequest> {
  for (let made = 0; made < count; made++) {
    yield acceptHeaderRequest(chain, random);
    yield formRequest(chain, random);
    yield charsetRequest(random);
    yield blockIdRequest(chain, random);
    yield balancesRequest(chain, random);
    yield signatureRequest(random);
  }
}

/** A request, valid or not, from a client with any `Accept` header. */
function acceptHeaderRequest(chain: ChainInventory, random: SeededRandom): NodeRequest {
  const { accounts, assets, height, blockIds, transactions } = chain;
  const account = random.pick(accounts);
  const path = random.pick([
    ...["/blocks/last", "/blocks/height", "/blocks/headers/last", `/blocks/at/${random.between(1, height + 2)}`],
    ...[`/blocks/${random.pick(blockIds)}`, `/blocks/headers/${random.pick(blockIds)}`, "/blocks/seq/1/3"],
    ...[`/addresses/balance/${account}`, `/addresses/balance/details/${account}`, `/addresses/data/${account}`],
    ...["/addresses/balance/nobody", "/alias/by-alias/nobody", `/transactions/info/${random.pick(transactions)}`],
    ...[`/transactions/address/${account}/limit/3`, `/debug/stateWaves/${height - 1}`, "/no/such/path"],
    ...(assets.length === 0
      ? []
      : [`/assets/${random.pick(assets)}/distribution`, `/assets/details/${random.pick(assets)}`]),
    ...["/blockchain/rewards", "/transactions/info?id=0", "/blocks/delay/nobody/1"],
  ]);
  const ranges = Array.from({ length: random.between(1, 3) }, () => {
    const taken = Array.from({ length: random.below(3) }, () => random.pick(parameters));
    return random.pick(mediaTypes) + taken.join("");
  });
  const route = "requests that accept anything";
  return { route, path, headers: { ...apiKey, Accept: ranges.join(random.pick([",", ", "])).trim() } };
}

/** Ids as a form, in both encodings of forms. */
function formRequest(
  { transactions, leases, assets, accounts, dataKeys }: ChainInventory,
  random: SeededRandom,
): NodeRequest {
  const entry = dataKeys.length === 0 ? { account: random.pick(accounts), key: "k" } : random.pick(dataKeys);
  const [path, name, known] = random.pick([
    ["/transactions/status", "id", transactions],
    ["/transactions/info", "id", transactions],
    ["/transactions/merkleProof", "id", transactions],
    ["/leasing/info", "id", leases],
    ["/assets/details", "id", assets],
    [`/assets/balance/${random.pick(accounts)}`, "id", assets],
    [`/addresses/data/${entry.account}`, random.pick(["key", "matches"]), [entry.key.replace(/[^\w]/g, ".")]],
  ] as const);
  const value = () =>
    known.length > 0 && random.boolean(0.8) ? random.pick(known) : random.pick(["", "0", "x y", "1"]);
  const fields = Array.from(
    { length: random.below(4) },
    () => [random.boolean(0.8) ? name : "other", value()] as const,
  );
  const route = `forms of ${path.split("/", 3).join("/").slice(1)}`;
  if (random.boolean(0.4)) {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return {
      route,
      path,
      method: "POST",
      headers,
      body: new URLSearchParams(fields.map((field) => [...field])).toString(),
    };
  }
  const boundary = random.pick(boundaries);
  const lineEnd = random.boolean(0.9) ? "\r\n" : "\n";
  const disposition = (field: string) =>
    random.pick([`form-data; name="${field}"`, `form-data; name=${field}`, `form-data; name="${field}"; filename="f"`]);
  const parts = fields.map(([field, text]) =>
    [`--${boundary}`, `Content-Disposition: ${disposition(field)}`, "", text, ""].join(lineEnd),
  );
  const body = parts.join("") + (random.boolean(0.95) ? `--${boundary}--${lineEnd}` : "");
  const named = random.pick([boundary, boundary, `"${boundary}"`, "other"]);
  return { route, path, method: "POST", headers: { "Content-Type": `multipart/form-data; boundary=${named}` }, body };
}

/** A text in the charset that its content type names, or in one that is never used. */
function charsetRequest(random: SeededRandom): NodeRequest {
  const type = random.pick(["text/plain", "text/html", "application/json", "image/png", "nonsense"]);
  const path = "/utils/hash/fast";
  const headers = { "Content-Type": type + random.pick(charsets) };
  return { route: "texts in charsets", path, method: "POST", headers, body: random.pick(texts) };
}

/** Ids of blocks, and ids of no block, on every route that takes one. */
function blockIdRequest({ blockIds, height }: ChainInventory, random: SeededRandom): NodeRequest {
  const unknown = () => encodeBase58(random.bytes(random.pick([32, 64, 31])));
  const id = random.boolean(0.7) ? random.pick(blockIds) : unknown();
  const route = "ids of blocks";
  const paths = [`/blocks/${id}`, `/blocks/headers/${id}`, `/blocks/height/${id}`];
  return { route, path: random.pick([...paths, `/blocks/delay/${id}/${random.between(1, height)}`]) };
}

/** Balances of few addresses, some of them repeated or none at all: up to four distinct ones have a defined order. */
function balancesRequest({ accounts }: ChainInventory, random: SeededRandom): NodeRequest {
  const few = Array.from({ length: random.between(1, 4) }, () =>
    random.boolean(0.9) ? random.pick(accounts) : "nobody",
  );
  const repeated = random.boolean(0.5) ? [...few, random.pick(few)] : few;
  const query = repeated.map((address) => `address=${address}`).join("&");
  return { route: "balances of few addresses", path: `/addresses/balance?${query}` };
}

/** An exchange with an order of an Ethereum wallet whose signature hardly any key can have made. */
function signatureRequest(random: SeededRandom): NodeRequest {
  const timestamp = Date.now();
  const publicKey = () => encodeBase58(random.bytes(32));
  const order = {
    ...{ version: 4, amount: 1, price: 100_000_000, matcherFee: 300_000, timestamp, expiration: timestamp + 1_000_000 },
    ...{ matcherPublicKey: publicKey(), assetPair: { amountAsset: encodeBase58(random.bytes(32)), priceAsset: null } },
  };
  const signature = random.bytes(random.pick([65, 65, 65, 129, 64, 1]));
  if (random.boolean(0.3)) signature.fill(random.pick([0, 1, 255]), 0, 32);
  signature[signature.length - 1] = random.pick([0, 1, 27, 28, 2, 29, 255]);
  const transaction = {
    ...{ type: 7, version: 3, chainId: 82, senderPublicKey: order.matcherPublicKey, fee: 300_000, timestamp },
    ...{ buyMatcherFee: 1, sellMatcherFee: 1, amount: 1, price: 100_000_000, proofs: [] },
    order1: { ...order, orderType: "buy", eip712Signature: hexText(signature) },
    order2: { ...order, orderType: "sell", senderPublicKey: publicKey(), proofs: [] },
  };
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(transaction);
  return { route: "orders of unknown wallets", path: "/transactions/broadcast", method: "POST", headers, body };
}
