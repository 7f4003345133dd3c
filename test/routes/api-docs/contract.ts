/**
 * The endpoints of the contract: methods and path; 🔒: only with the API key.
 * @source docs/protocol/rest-api.md 2
 */
export const contract = `
GET /addresses
POST /addresses 🔒
GET /addresses/seq/{from}/{to}
DELETE /addresses/{address} 🔒
GET /addresses/seed/{address} 🔒
GET /addresses/validate/{address}
GET /addresses/publicKey/{publicKey}
GET /addresses/balance/{address}
GET /addresses/balance/{address}/{confirmations}
GET POST /addresses/balance
GET /addresses/balance/details/{address}
GET /addresses/effectiveBalance/{address}
GET /addresses/effectiveBalance/{address}/{confirmations}
GET POST /addresses/data/{address}
GET /addresses/data/{address}/{key}
GET /addresses/scriptInfo/{address}
GET /addresses/scriptInfo/{address}/meta
GET /addresses/bls/{address}
GET /alias/by-alias/{alias}
GET /alias/by-address/{address}
GET POST /assets/balance/{address}
GET /assets/balance/{address}/{assetId}
GET /assets/details/{assetId}
GET POST /assets/details
GET /assets/nft/{address}/limit/{limit}
GET /assets/{assetId}/distribution
GET /assets/{assetId}/distribution/{height}/limit/{limit}
GET /blocks/{id}
GET /blocks/at/{height}
GET /blocks/seq/{from}/{to}
GET /blocks/last
GET /blocks/height
GET /blocks/height/{id}
GET /blocks/delay/{id}/{blockNum}
GET /blocks/address/{address}/{from}/{to}
GET /blocks/headers/{id}
GET /blocks/headers/at/{height}
GET /blocks/headers/seq/{from}/{to}
GET /blocks/headers/last
GET /blocks/heightByTimestamp/{timestamp}
GET /blocks/height/finalized
GET /blocks/headers/finalized
GET /blocks/finalized/at/{height}
GET /activation/status
GET /blockchain/rewards
GET /blockchain/rewards/{height}
GET /blockchain/finality
GET /generators/at/{height}
GET /debug/balances/history/{address}
GET /debug/stateHash/{height}
GET /debug/stateHash/last
POST /debug/validate
GET /debug/state 🔒
GET /debug/stateWaves/{height} 🔒
GET /debug/info 🔒
GET /debug/minerInfo 🔒
GET /debug/configInfo 🔒
POST /debug/rollback 🔒
POST /debug/blacklist 🔒
POST /debug/print 🔒
POST /eth
GET POST /eth/assets
GET /eth/abi/{address}
GET /leasing/active/{address}
GET /leasing/info/{id}
GET POST /leasing/info
GET /node/status
GET /node/version
POST /node/stop 🔒
GET /wallet/seed 🔒
GET /peers/all
GET /peers/connected
GET /peers/blacklisted
GET /peers/suspended
POST /peers/connect 🔒
POST /peers/clearblacklist 🔒
GET /transactions/address/{address}/limit/{limit}
GET /transactions/info/{id}
GET POST /transactions/info
GET /transactions/status/{id}
GET POST /transactions/status
GET /transactions/snapshot/{id}
GET POST /transactions/snapshot
GET /transactions/unconfirmed
GET /transactions/unconfirmed/size
GET /transactions/unconfirmed/info/{id}
GET POST /transactions/merkleProof
POST /transactions/broadcast
POST /transactions/calculateFee
POST /transactions/sign 🔒
POST /transactions/sign/{signerAddress} 🔒
GET /utils/time
GET /utils/seed
GET /utils/seed/{length}
POST /utils/hash/secure
POST /utils/hash/fast
POST /utils/transactionSerialize
POST /utils/script/compileCode
POST /utils/script/compileWithImports
POST /utils/script/estimate
POST /utils/script/decompile
POST /utils/script/evaluate/{address}
`
  .trim()
  .split("\n")
  .flatMap(endpointsOf);

/** `GET /blocks/last`, followed by the lock. */
function endpointsOf(line: string): string[] {
  const [, methods = "", rest = ""] = /^([A-Z ]+) (\/.*)$/.exec(line) ?? [];
  return methods.split(" ").map((method) => `${method} ${rest}`);
}

/** Endpoints that this implementation adds, with reasons. */
export const additions: readonly (readonly [endpoint: string, reason: string])[] = [
  ["GET /health", "health check for monitoring"],
  ["GET /metrics 🔒", "measurements for the owner's Prometheus"],
  ["POST /debug/checkpoint 🔒", "no node has to sync from the genesis block: decision 57"],
  ["POST /assets/nft/{address}/limit/{limit}", "the requirements ask for it: docs/protocol/rest-api.md 6, row 3"],
];
