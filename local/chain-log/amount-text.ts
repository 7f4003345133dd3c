/** Readable amounts. */

const waveletsPerWaves = 100_000_000n;

/** @param wavelets 10^-8 WAVES @returns WAVES without trailing zeros: `1,000.5` */
export function wavesText(wavelets: bigint): string {
  const whole = (wavelets / waveletsPerWaves).toLocaleString("en");
  const rest = String(wavelets % waveletsPerWaves)
    .padStart(8, "0")
    .replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}
