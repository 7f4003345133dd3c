/**
 * A first transaction: makes an account, sends it 10 WAVES from the private network's master account, and waits until
 * the transfer is in a block. Needs a node: `npm start` in another terminal. Argument: its address,
 * http://127.0.0.1:6869 if left out.
 */
import { create } from "@waves/node-api-js";
import { seedUtils, transfer } from "@waves/waves-transactions";

const node = process.argv[2] ?? "http://127.0.0.1:6869";
const chainId = "R";
const masterSeed = "waves private node seed with waves tokens";

const api = create(node);
const account = new seedUtils.Seed(seedUtils.generateNewSeed(), chainId);
process.stdout.write(`new account  ${account.address}\n`);

const tx = transfer({ recipient: account.address, amount: 10_0000_0000, chainId }, masterSeed);
await api.transactions.broadcast(tx);
process.stdout.write(`sent         ${tx.id}\n`);

let status;
do {
  await new Promise((resolve) => setTimeout(resolve, 200));
  status = await (await fetch(`${node}/transactions/status/${tx.id}`)).json();
} while (status.status === "unconfirmed");
process.stdout.write(`${status.status.padEnd(12)} at height ${status.height}\n`);

const { balance } = await api.addresses.fetchBalance(account.address);
process.stdout.write(`balance      ${Number(balance) / 1e8} WAVES\n`);
