import { damagedFamily } from "./damaged-scripts.ts";
import { deepFamily } from "./deep-family.ts";
import { ecrecoverFamily } from "./ecrecover-family.ts";
import type { FuzzFamily, RequestFamily } from "./family.ts";
import { functionsFamily } from "./function-families.ts";
import { groth16Family } from "./groth16-family.ts";
import { rsaFamily } from "./rsa-family.ts";
import { transferFamily } from "./transfer-family.ts";

export const allFamilies: readonly (FuzzFamily | RequestFamily)[] = [
  rsaFamily,
  ecrecoverFamily,
  groth16Family,
  functionsFamily,
  transferFamily,
  deepFamily,
  damagedFamily,
];
