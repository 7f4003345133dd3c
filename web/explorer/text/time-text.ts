const units = [
  { name: "day", seconds: 86_400 },
  { name: "hour", seconds: 3_600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
] as const;

/** Time ago in its largest unit: `3 min ago`. A chain's clock may be ahead of this one: `in 2 days`. */
export function agoText(timestampMs: number, nowMs: number): string {
  const seconds = Math.round((nowMs - timestampMs) / 1_000);
  const size = Math.abs(seconds);
  if (size < 2) return "now";
  const unit = units.find((one) => size >= one.seconds) ?? units[3];
  const count = Math.floor(size / unit.seconds);
  const isWord = unit.name === "day" || unit.name === "hour";
  const text = `${count.toLocaleString("en")} ${unit.name}${isWord && count !== 1 ? "s" : ""}`;
  return seconds > 0 ? `${text} ago` : `in ${text}`;
}

/** Time to the millisecond, UTC. */
export function momentText(timestampMs: number): string {
  return `${new Date(timestampMs).toISOString().replace("T", " ").replace("Z", "")} UTC`;
}
