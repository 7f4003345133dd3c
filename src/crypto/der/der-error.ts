/** Bytes that the reference's platform does not accept as ASN.1, with its error text. */
export class DerError extends Error {}
