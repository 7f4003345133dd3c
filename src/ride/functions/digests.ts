/** Digests of RSA signatures, by their names in scripts. */
export const digests: readonly string[] = [
  "NoAlg",
  "Md5",
  "Sha1",
  "Sha224",
  "Sha256",
  "Sha384",
  "Sha512",
  "Sha3224",
  "Sha3256",
  "Sha3384",
  "Sha3512",
];
