/** Log event as a line of text. */
import { oneLine } from "../cli/one-line.ts";
import type { LogEvent, RequestEvent, TransactionEvent } from "./log-event.ts";
import { short } from "./transaction-summary.ts";

type Style = "dim" | "bold" | "red" | "green" | "yellow" | "cyan" | "magenta";

/** Gives a text a style, or leaves it unchanged. */
export type Paint = (style: Style, text: string) => string;

const codes: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

/** Paint for a terminal with colours. @source ECMA-48, 8.3.117 (SGR) */
export const coloured: Paint = (style, text) => {
  const [on, off] = codes[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
};

export const plain: Paint = (_, text) => text;

/**
 * Paint for a stream: colours on a terminal, unless the environment decides otherwise (no-color.org, force-color.org).
 */
export function paintFor(
  stream: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  if (environment["NO_COLOR"]) return plain;
  return stream.isTTY || environment["FORCE_COLOR"] ? coloured : plain;
}

const TYPE_WIDTH = 14;

/** @returns the line without a line break */
export function eventLine(event: LogEvent, paint: Paint): string {
  switch (event.event) {
    case "block": {
      const { height, transactions, generator } = event;
      const count = transactions === 1 ? "1 transaction" : `${transactions} transactions`;
      return `${paint("bold", `block ${height}`)}  ${count}  ${paint("dim", oneLine(short(generator)))}`;
    }
    case "blocks":
      return `${paint("bold", `blocks ${event.fromHeight} to ${event.toHeight}`)}${event.areEmpty ? "  0 transactions" : ""}`;
    case "back":
      return paint("magenta", `back to block ${event.height}`);
    case "transaction":
      return transactionLine(event, paint);
    case "request":
      return requestLine(event, paint);
  }
}

function transactionLine(event: TransactionEvent, paint: Paint): string {
  const { type, sender, what, fee, complexity, status, error, id } = event;
  const isDone = status === "succeeded";
  const cost = complexity === 0 ? `fee ${fee}` : `fee ${fee}, complexity ${complexity}`;
  const name = paint(isDone ? "cyan" : "red", oneLine(type).padEnd(TYPE_WIDTH));
  const outcome = isDone ? "" : `  ${paint("red", error === undefined ? status : `${status}: ${oneLine(error)}`)}`;
  return `  ${name}${oneLine(`${short(sender)} ${what}`)}  ${paint("dim", oneLine(`${cost}  ${short(id)}`))}${outcome}`;
}

function requestLine({ method, path, status, milliseconds, error }: RequestEvent, paint: Paint): string {
  const shownStatus = status === 0 ? "gone" : String(status);
  const style = status >= 500 || status === 0 ? "red" : status >= 400 ? "yellow" : "green";
  const refused = error === undefined ? "" : `  ${paint("yellow", oneLine(error))}`;
  const line = `${oneLine(method).padEnd(4)} ${oneLine(path)} ${paint(style, shownStatus)} ${paint("dim", formatTime(milliseconds))}`;
  return `${line}${refused}`;
}

function formatTime(milliseconds: number): string {
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}
