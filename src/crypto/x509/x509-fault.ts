/** Why a certificate, a revocation list or a path is not taken, in the reference's words where it has some of its own. */
export class X509Fault extends Error {
  override readonly name = "X509Fault";
}
