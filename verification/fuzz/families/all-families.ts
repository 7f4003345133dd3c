import { certificatesFamily } from "./certificates/certificates-family.ts";
import { damagedFamily } from "./damaged-scripts.ts";
import { deepFamily } from "./deep-family.ts";
import { ecrecoverFamily } from "./ecrecover-family.ts";
import type { FuzzFamily, RequestFamily } from "./family.ts";
import { functionsFamily } from "./function-families.ts";
import { groth16Family } from "./groth16-family.ts";
import { library9Family } from "./library9-family.ts";
import { rsaFamily } from "./rsa-family.ts";
import { transferFamily } from "./transfer-family.ts";

export const allFamilies: readonly (FuzzFamily | RequestFamily)[] = [
  rsaFamily,
  ecrecoverFamily,
  groth16Family,
  functionsFamily,
  library9Family,
  certificatesFamily,
  transferFamily,
  deepFamily,
  damagedFamily,
];
