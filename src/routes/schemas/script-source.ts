/** Sources and costs of scripts. @source docs/protocol/rest-api.md 2.11 */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
import { complexities, script } from "./values.ts";

const costs = () => ({
  complexity: int64(),
  verifierComplexity: int64(),
  callableComplexities: complexities(),
  extraFee: int64(),
});

export const source = () => z.string().meta({ description: "Source in Ride." });
export const scriptText = () => z.string().meta({ description: "`base64:` and the bytes of a script in base64." });

export const compiledScript = named("CompiledScript", () => z.strictObject({ script: script(), ...costs() }));

export const compiledWithImports = named("CompiledWithImports", () =>
  z.strictObject({
    script: script(),
    complexity: int64().meta({ description: "Complexity of the verifier." }),
    extraFee: int64(),
  }),
);

export const scriptEstimate = named("ScriptEstimate", () =>
  z.strictObject({
    script: script(),
    scriptText: z.string().meta({ description: "The tree of the script as text." }),
    ...costs(),
  }),
);

export const decompiledScript = named("DecompiledScript", () =>
  z.strictObject({
    STDLIB_VERSION: int32(),
    SCRIPT_TYPE: z.string().optional().meta({ description: "Present if it is not an account script." }),
    CONTENT_TYPE: z.string(),
    script: z.string(),
  }),
);
