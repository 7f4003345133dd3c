/** What the reference's platform says of bytes that it does not read as ASN.1. */
export class DerFault extends Error {}
