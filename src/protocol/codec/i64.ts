/** Bounds of a signed 64-bit integer: every amount, fee and timestamp of the protocol. */
export const I64_MAX = 9_223_372_036_854_775_807n;
export const I64_MIN = -9_223_372_036_854_775_808n;
