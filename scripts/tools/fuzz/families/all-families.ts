import { ecrecoverFamily } from "./ecrecover-family.ts";
import type { FuzzFamily } from "./family.ts";
import { functionsFamily } from "./function-families.ts";
import { groth16Family } from "./groth16-family.ts";
import { rsaFamily } from "./rsa-family.ts";
import { transferFamily } from "./transfer-family.ts";

export const allFamilies: readonly FuzzFamily[] = [
  rsaFamily,
  ecrecoverFamily,
  groth16Family,
  functionsFamily,
  transferFamily,
];
