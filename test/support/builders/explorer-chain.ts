/** Chain of the explorer's tests: accounts, assets, a dApp that calls another one, and malicious texts. */
import {
  alias,
  burn,
  data,
  exchange,
  invokeScript,
  issue,
  lease,
  libs,
  massTransfer,
  order,
  seedUtils,
  setScript,
  sponsorship,
  transfer,
} from "@waves/waves-transactions";
import { sentAndConfirmed } from "./started-node.ts";

export const masterSeed = "waves private node seed with waves tokens";
export const master = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
const chainId = "R";

/** Text that would run code in a page without escaping. */
export const hostileText = `<img src=x onerror="document.title='harmed'"><script>document.title='harmed'</script>`;
/** A double rounds it to 9007199254740992. */
export const exactInteger = "9007199254740993";

const vaultSource = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
# Paid amount by address.
func paidIn(who: String) = this.getInteger("paid_" + who).valueOrElse(0)

@Callable(i)
func note(amount: Int, words: List[String]) = {
  if (amount < 0) then throw("an amount below zero: " + amount.toString())
  else ([IntegerEntry("noted", amount), StringEntry("words", words.makeString(" "))], amount + words.size())
}

@Callable(i)
func pay(share: Int, isGift: Boolean) = {
  let who = i.caller.toString()
  ([IntegerEntry("paid_" + who, paidIn(who) + share), BooleanEntry("gift", isGift),
    ScriptTransfer(i.caller, share, unit)], share * 2)
}`;

const shopSource = (vault: string): string => `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
let vault = Address(base58'${vault}')

@Callable(i)
func buy(item: String, count: Int) = {
  let paid = i.payments[0].amount
  let price = paid / count
  strict noted = invoke(vault, "note", [price, ["bought", item]], [])
  strict doubled = invoke(vault, "pay", [price, count > 1], [AttachedPayment(unit, price)])
  let receipt = Issue("Receipt", "for " + item, 1, 0, false)
  ([StringEntry("last", item), IntegerEntry("sold", count), receipt,
    ScriptTransfer(i.caller, 1, receipt.calculateAssetId())], doubled)
}

# The second caller fails, and so late that the failure is stored.
@Callable(i)
func first(reason: String) = {
  func spend(sum: Int, item: Int) = if (sigVerify(base58'', base58'', base58'')) then sum else sum + item
  strict spent = FOLD<8>([1, 2, 3, 4, 5, 6, 7, 8], 0, spend)
  if (this.getBoolean("taken").valueOrElse(false)) then throw(reason) else [BooleanEntry("taken", spent > 0)]
}

@Callable(i)
func again() = [BooleanEntry("taken", false)]

@Verifier(tx)
func verify() = sigVerify(tx.bodyBytes, tx.proofs[0], tx.senderPublicKey)`;

type Sent = { readonly id: string };

async function compiled(url: string, source: string): Promise<string> {
  const response = await fetch(`${url}/utils/script/compileCode`, { method: "POST", body: source });
  const result = (await response.json()) as { script?: string; message?: string };
  if (result.script === undefined) throw new Error(result.message);
  return result.script;
}

const account = (name: string) => new seedUtils.Seed(`explorer's test account ${name}`, chainId);

/** Sends all transactions for the tests, in three rounds. @returns the ids and addresses by name */
export async function makeExplorerChain(url: string) {
  const [vault, shop, buyer] = [account("vault"), account("shop"), account("buyer")];
  const send = async (...txs: Sent[]): Promise<void> => {
    await Promise.all(txs.map((tx) => sentAndConfirmed(url, tx)));
  };
  const funds = massTransfer(
    {
      transfers: [vault, shop, buyer].map(({ address }) => ({ recipient: address, amount: 50_0000_0000 })),
      attachment: libs.crypto.base58Encode(libs.crypto.stringToBytes(hostileText)),
      chainId,
    },
    masterSeed,
  );
  const gold = issue(
    { name: "<b>Gold</b>", description: hostileText, quantity: "9223372036854775807", decimals: 8, chainId },
    masterSeed,
  );
  await send(funds, gold);

  const hostileEntries = data(
    {
      data: [
        { key: hostileText, type: "string", value: hostileText },
        { key: "exact", type: "integer", value: exactInteger },
        { key: "photo", type: "binary", value: "base64:iVBORw0KGgo=" },
        ...Array.from({ length: 60 }, (_, number) => ({
          key: `entry_${String(number).padStart(2, "0")}`,
          type: "integer" as const,
          value: number,
        })),
      ],
      fee: 1_000_000,
      chainId,
    },
    buyer.phrase,
  );
  const scripts = [
    setScript({ script: await compiled(url, vaultSource), fee: 1_000_000, chainId }, vault.phrase),
    setScript({ script: await compiled(url, shopSource(vault.address)), fee: 1_000_000, chainId }, shop.phrase),
  ];
  const picture = issue(
    { name: "Picture", description: "of one", quantity: 1, decimals: 0, reissuable: false, chainId },
    buyer.phrase,
  );
  const named = alias({ alias: "explorer-buyer", chainId }, buyer.phrase);
  const leased = lease({ recipient: shop.address, amount: 3_0000_0000, chainId }, buyer.phrase);
  const goldSent = transfer({ recipient: buyer.address, assetId: gold.id, amount: 1_2345_6789, chainId }, masterSeed);
  await send(hostileEntries, ...scripts, picture, named, leased, goldSent);

  const bought = invokeScript(
    {
      dApp: shop.address,
      call: {
        function: "buy",
        args: [
          { type: "string", value: "a lamp" },
          { type: "integer", value: 2 },
        ],
      },
      payment: [{ assetId: null, amount: 1_0000_0000 }],
      fee: 100_500_000,
      chainId,
    },
    buyer.phrase,
  );
  const terms = { amount: 100, price: 500_000_000, matcherPublicKey: buyer.keyPair.publicKey, matcherFee: 300_000 };
  const side = (orderType: "buy" | "sell", seed: string) =>
    order({ ...terms, version: 3, chainId, amountAsset: gold.id, priceAsset: null, orderType } as never, seed);
  const [buyOrder, sellOrder] = [side("buy", buyer.phrase), side("sell", masterSeed)];
  const orders = { order1: buyOrder, order2: sellOrder, buyMatcherFee: 300_000, sellMatcherFee: 300_000 };
  const traded = exchange(
    { type: 7, version: 3, ...orders, amount: 100, price: 500_000_000, fee: 300_000, chainId } as never,
    buyer.phrase,
  );
  const burnt = burn({ assetId: gold.id, amount: "7", chainId }, masterSeed);
  const sponsored = sponsorship({ assetId: gold.id, minSponsoredAssetFee: 25, chainId }, masterSeed);
  await send(bought, traded, burnt, sponsored);
  const failed = await failedCall(url, shop.address, buyer.phrase);

  return {
    vault: vault.address,
    shop: shop.address,
    buyer: buyer.address,
    buyerSeed: buyer.phrase,
    alias: "explorer-buyer",
    gold: gold.id,
    picture: picture.id,
    funds: funds.id,
    entries: hostileEntries.id,
    leased: leased.id,
    scriptSet: (scripts[1] as Sent).id,
    bought: bought.id,
    failed,
    traded: (traded as Sent).id,
    burnt: burnt.id,
  };
}

/**
 * Call that is in a block as failed: of two calls that cannot both succeed, sent at once, each is accepted before the
 * other has changed anything. If a block comes between them the second is refused, and both are sent again.
 */
async function failedCall(url: string, dApp: string, seed: string): Promise<string> {
  const call = (name: string, args: readonly { type: "string"; value: string }[] = []) =>
    invokeScript({ dApp, call: { function: name, args: [...args] }, fee: 900_000, chainId }, seed);
  for (let attempt = 0; attempt < 20; attempt++) {
    const both = ["one", "two"].map((which) => call("first", [{ type: "string", value: `${which} ${hostileText}` }]));
    const sent = await Promise.allSettled(both.map((tx) => sentAndConfirmed(url, tx)));
    const failed = sent.find(
      (result) => result.status === "fulfilled" && result.value["applicationStatus"] === "script_execution_failed",
    );
    if (failed?.status === "fulfilled") return String(failed.value["id"]);
    await sentAndConfirmed(url, call("again"));
  }
  throw new Error("of two calls that cannot both succeed none has failed in a block");
}
