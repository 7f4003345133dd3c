/**
 * Functions of certificate chains.
 * @source Waves 1.6: lang/v1/evaluator/ctx/impl/CryptoContext.scala (validateCertificateChain)
 */
import { i32Bytes } from "../../crypto/bytes.ts";
import { SlowKey, validateChain } from "../../crypto/x509/validate-chain.ts";
import { X509Error } from "../../crypto/x509/x509-error.ts";
import { utf8Bytes } from "../../protocol/codec/utf8.ts";
import type { Environment } from "../evaluator/environment.ts";
import { runStepOf } from "../evaluator/script-work.ts";
import { ExecutionError } from "../execution-error.ts";
import type { List } from "../values/value.ts";
import { WorkRefused } from "../work-refused.ts";
import { type LibraryFunction, native } from "./function-definition.ts";

const maxCertificates = 5;
/**
 * Size limit of certificates and lists in own work: larger ones take longer to read than anything else with so little
 * complexity.
 */
const maxQuickBytes = 16_384;
/** Work of one certificate: two signatures on a curve that the platform does not support. */
const certificateWork = 150;
/** Bytes that take as long to read as one unit of a step's work. */
const bytesPerWork = 25;
const parameters = "certificateChain: List[ByteVector], crls: List[ByteVector], timestamp: Int";

export const certificateFunctions: readonly LibraryFunction[] = [
  native(902, `validateCertificateChain(${parameters}): ByteVector`, {
    since: 9,
    complexity: 43,
    takes: ["List", "List", "Int"],
    usage: `validateCertificateChain(${parameters.replaceAll(": ", ":")})`,
    evaluate: ([chain, lists, timestamp], { environment }) => {
      checkSizes(chain.items.length, lists.items.length);
      const certificates = bytesOf(chain, "Certificates must be byte vectors");
      const revoked = bytesOf(lists, "CRLs must be ByteVectors");
      if (environment.mayRefuseWork) checkWork([...certificates, ...revoked]);
      try {
        return validated(certificates, revoked, timestamp, environment);
      } catch (error) {
        if (error instanceof SlowKey) throw new WorkRefused("an RSA key is too long to verify here");
        throw error instanceof X509Error ? new ExecutionError(error.message) : error;
      }
    },
  }),
];

/** @throws X509Error, SlowKey */
function validated(
  certificates: readonly Uint8Array[],
  revoked: readonly Uint8Array[],
  timestamp: bigint,
  environment: Pick<Environment, "mayRefuseWork" | "workMeter">,
): Uint8Array {
  const run = runStepOf(environment);
  const options = { refusesSlowKeys: environment.mayRefuseWork, run };
  const compute = () => validateChain(certificates, revoked, Number(timestamp), options);
  const read = [...certificates, ...revoked];
  const sizeBytes = read.reduce((sum, { length }) => sum + length, 0);
  const work = certificateWork * certificates.length + Math.ceil(sizeBytes / bytesPerWork);
  return run({
    name: "certificates",
    inputs: [...read, i32Bytes(certificates.length), utf8Bytes(String(timestamp))],
    work,
    compute,
  });
}

function checkSizes(certificates: number, lists: number): void {
  if (certificates === 0) throw new ExecutionError("Certificate chain must contain at least one certificate");
  if (certificates > maxCertificates) {
    throw new ExecutionError(`Certificate chain can not contain more than ${maxCertificates} certificates`);
  }
  if (certificates - 1 !== lists) {
    throw new ExecutionError(
      `Certificate chain contains ${certificates} certificates and requires ${certificates - 1} CRLs, ${lists} provided`,
    );
  }
}

/** @throws WorkRefused */
function checkWork(read: readonly Uint8Array[]): void {
  const sizeBytes = read.reduce((sum, { length }) => sum + length, 0);
  if (sizeBytes > maxQuickBytes) throw new WorkRefused("certificates are too long to verify here");
}

function bytesOf({ items }: List, complaint: string): readonly Uint8Array[] {
  return items.map((item) => {
    if (item instanceof Uint8Array) return item;
    throw new ExecutionError(complaint);
  });
}
