import type { FuzzFamily } from "./family.ts";
import { rsaFamily } from "./rsa-family.ts";

export const allFamilies: readonly FuzzFamily[] = [rsaFamily];
