/** Names and families of transaction types. */
interface TypeFace {
  readonly name: string;
  /** Family, which the style sheets give a colour. */
  readonly family: "money" | "asset" | "trade" | "lease" | "data" | "script" | "call" | "chain";
}

const faces: Readonly<Record<number, TypeFace>> = {
  1: { name: "Genesis", family: "chain" },
  2: { name: "Payment", family: "money" },
  3: { name: "Issue", family: "asset" },
  4: { name: "Transfer", family: "money" },
  5: { name: "Reissue", family: "asset" },
  6: { name: "Burn", family: "asset" },
  7: { name: "Exchange", family: "trade" },
  8: { name: "Lease", family: "lease" },
  9: { name: "Lease cancel", family: "lease" },
  10: { name: "Alias", family: "data" },
  11: { name: "Mass transfer", family: "money" },
  12: { name: "Data", family: "data" },
  13: { name: "Set script", family: "script" },
  14: { name: "Sponsor fee", family: "asset" },
  15: { name: "Asset script", family: "script" },
  16: { name: "Invoke", family: "call" },
  17: { name: "Asset info", family: "asset" },
  18: { name: "Ethereum", family: "call" },
  19: { name: "Commitment", family: "chain" },
};

/** Name and family of a type. An unknown type shows its number. */
export function typeFace(type: bigint): TypeFace {
  return faces[Number(type)] ?? { name: `Type ${type}`, family: "chain" };
}
