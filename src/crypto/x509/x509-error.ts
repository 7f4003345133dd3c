/** Reason why a certificate, a revocation list or a path is refused, with the reference's error text if it has one. */
export class X509Error extends Error {
  override readonly name = "X509Error";
}
