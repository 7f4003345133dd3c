/** The top line: height and last block of the chain, and the master account on the private network. */
import { parseJson } from "../../src/protocol/parse-json.ts";

/** Interval between requests; a hidden tab sends none. */
const intervalMs = 5_000;

interface Quick {
  readonly label: string;
  readonly href: string;
  /** Path of the response that holds the value. */
  readonly source: string;
  readonly show: (response: Readonly<Record<string, unknown>>) => string;
}

const height: Quick = {
  label: "Height",
  href: "/blocks/height",
  source: "/blocks/height",
  show: (response) => String(response["height"]),
};

const lastBlock: Quick = {
  label: "Last block",
  href: "/blocks/last",
  source: "/blocks/headers/last",
  show: (response) => shortened(String(response["id"])),
};

function masterAccount(address: string): Quick {
  return {
    label: "Master account",
    href: `/addresses/balance/details/${address}`,
    source: `/addresses/balance/${address}`,
    show: (response) => `${address} (${wavesText(response["balance"] as bigint)} WAVES)`,
  };
}

/** Fills the element with links and refreshes their values. */
export async function showNow(list: HTMLElement): Promise<void> {
  const { masterAccount: address } = await read("node.json");
  const quick = [height, lastBlock, ...(typeof address === "string" ? [masterAccount(address)] : [])];
  const values = quick.map(({ label, href }) => {
    const link = document.createElement("a");
    const value = document.createElement("strong");
    link.href = href;
    link.append(`${label} `, value);
    list.append(link);
    return value;
  });
  const refresh = async (): Promise<void> => {
    if (document.hidden) return;
    const texts = await Promise.all(quick.map(({ source, show }) => read(source).then(show, () => "no response")));
    for (const [index, text] of texts.entries()) (values[index] as HTMLElement).textContent = text;
  };
  document.addEventListener("visibilitychange", () => void refresh());
  setInterval(() => void refresh(), intervalMs);
  await refresh();
}

async function read(url: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return parseJson(await response.text()) as Readonly<Record<string, unknown>>;
}

/** Beginning of an id, enough to tell blocks apart. */
function shortened(id: string): string {
  return `${id.slice(0, 8)}…`;
}

const wavelets = 100_000_000n;

/** @param amount wavelets */
function wavesText(amount: bigint): string {
  return (amount / wavelets).toLocaleString("en");
}
