/** Duration rounded up, e.g. `7 s`, `12 min`, `3 h 5 min`. */
export function durationText(durationMs: number): string {
  const seconds = Math.ceil(durationMs / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
