// Types of the REST interface, generated from its OpenAPI document: npm run types

export interface paths {
  "/blocks/height/finalized": {
    /** Height of the last final block */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Height"]; "application/json; large-significand-format=string": components["schemas"]["Height"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/headers/finalized": {
    /** The header of the last final block */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["BlockHeader"]; "application/json; large-significand-format=string": components["schemas"]["BlockHeader"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/finalized/at/{height}": {
    /** Height finalized by a block. Height up to which the block at the given height and those before it make blocks final; it must be below the tip. In force from the next block on. */
    get: {
      parameters: {
        path: { height: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Height"]; "application/json; large-significand-format=string": components["schemas"]["Height"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blockchain/finality": {
    /** Finality, and generators. Generators of this period with their counted balances, wavelets, and those committed to the next one. Before feature 25 there are no periods and no commitments. */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Finality"]; "application/json; large-significand-format=string": components["schemas"]["Finality"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/generators/at/{height}": {
    /** Generators at a height. In the order of their indexes in votings, with counted balances, wavelets: 0 if the balance is too low, or after a conflict. Heights up to the end of the next period; future ones have no balances. */
    get: {
      parameters: {
        path: { height: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Generators"]; "application/json; large-significand-format=string": components["schemas"]["Generators"] } };
        404: { content: { "application/json": (unknown)[]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/at/{height}": {
    /** The block at a height */
    get: {
      parameters: {
        path: { height: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Block"]; "application/json; large-significand-format=string": components["schemas"]["Block"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/seq/{from}/{to}": {
    /** Blocks of a range of heights. Both ends count. Heights that the chain does not have are left out; `from` 0 is the tip. */
    get: {
      parameters: {
        path: { from: number; to: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["Block"])[]; "application/json; large-significand-format=string": (components["schemas"]["Block"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/last": {
    /** The last block */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Block"]; "application/json; large-significand-format=string": components["schemas"]["Block"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/height": {
    /** Height of the chain */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Height"]; "application/json; large-significand-format=string": components["schemas"]["Height"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/delay/{id}/{blockNum}": {
    /** Mean time between blocks. Milliseconds, over that number of blocks up to the one with the id. */
    get: {
      parameters: {
        path: { id: string; blockNum: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { delay: components["schemas"]["Int64"] }; "application/json; large-significand-format=string": { delay: components["schemas"]["Int64"] } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/height/{id}": {
    /** Height of a block */
    get: {
      parameters: {
        path: { id: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Height"]; "application/json; large-significand-format=string": components["schemas"]["Height"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/address/{address}/{from}/{to}": {
    /** Blocks of a range that an account generated */
    get: {
      parameters: {
        path: { address: string; from: number; to: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["Block"])[]; "application/json; large-significand-format=string": (components["schemas"]["Block"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/headers/at/{height}": {
    /** The header at a height */
    get: {
      parameters: {
        path: { height: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["BlockHeader"]; "application/json; large-significand-format=string": components["schemas"]["BlockHeader"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/headers/seq/{from}/{to}": {
    /** Headers of a range of heights. Like the blocks of a range. */
    get: {
      parameters: {
        path: { from: number; to: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["BlockHeader"])[]; "application/json; large-significand-format=string": (components["schemas"]["BlockHeader"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/headers/last": {
    /** The last header */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["BlockHeader"]; "application/json; large-significand-format=string": components["schemas"]["BlockHeader"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/headers/{id}": {
    /** The header with an id */
    get: {
      parameters: {
        path: { id: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["BlockHeader"]; "application/json; large-significand-format=string": components["schemas"]["BlockHeader"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/heightByTimestamp/{timestamp}": {
    /** Height at a time. Height of the last block at or before a time, in milliseconds since the epoch. */
    get: {
      parameters: {
        path: { timestamp: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Height"]; "application/json; large-significand-format=string": components["schemas"]["Height"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blocks/{id}": {
    /** The block with an id */
    get: {
      parameters: {
        path: { id: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Block"]; "application/json; large-significand-format=string": components["schemas"]["Block"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/balance/details/{address}": {
    /** Balances of all kinds */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["BalanceDetails"]; "application/json; large-significand-format=string": components["schemas"]["BalanceDetails"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/balance": {
    /** Balances of many accounts. Each address once: those of a body in their order, those of a query from the last one on. */
    get: {
      parameters: {
        path?: never;
        query?: { address?: (string)[]; height?: number; asset?: string };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["BalanceOfAddress"])[]; "application/json; large-significand-format=string": (components["schemas"]["BalanceOfAddress"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** Balances of many accounts. Each address once: those of a body in their order, those of a query from the last one on. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": { addresses: (string)[]; height?: number; asset?: string } } };
      responses: {
        200: { content: { "application/json": (components["schemas"]["BalanceOfAddress"])[]; "application/json; large-significand-format=string": (components["schemas"]["BalanceOfAddress"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/balance/{address}": {
    /** Regular balance. Wavelets that the account has. */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Balance"]; "application/json; large-significand-format=string": components["schemas"]["Balance"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/balance/{address}/{confirmations}": {
    /** Lowest regular balance of the last blocks. Wavelets that the account has. */
    get: {
      parameters: {
        path: { address: string; confirmations: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Balance"]; "application/json; large-significand-format=string": components["schemas"]["Balance"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/effectiveBalance/{address}": {
    /** Effective balance. Wavelets that the account has, plus leased in, minus leased out, minus deposits of commitments to generate; 0 if the block challenges one of the account's. */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Balance"]; "application/json; large-significand-format=string": components["schemas"]["Balance"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/effectiveBalance/{address}/{confirmations}": {
    /** Lowest effective balance of the last blocks. Wavelets that the account has, plus leased in, minus leased out, minus deposits of commitments to generate; 0 if the block challenges one of the account's. */
    get: {
      parameters: {
        path: { address: string; confirmations: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Balance"]; "application/json; large-significand-format=string": components["schemas"]["Balance"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/validate/{address}": {
    /** Whether a text is an address of this network */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { address: string; valid: boolean }; "application/json; large-significand-format=string": { address: string; valid: boolean } } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/publicKey/{publicKey}": {
    /** Address of a public key */
    get: {
      parameters: {
        path: { publicKey: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { address: components["schemas"]["Address"] }; "application/json; large-significand-format=string": { address: components["schemas"]["Address"] } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses": {
    /** Accounts of the node's wallet. In no meaningful order. A node without a seed has none. */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["Address"])[]; "application/json; large-significand-format=string": (components["schemas"]["Address"])[] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** Create an account in the wallet. It may generate blocks, and the node signs for it. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { address: components["schemas"]["Address"] }; "application/json; large-significand-format=string": { address: components["schemas"]["Address"] } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/seq/{from}/{to}": {
    /** Some accounts of the wallet. By their index in the list of all, from 0 on; `to` is exclusive. */
    get: {
      parameters: {
        path: { from: number; to: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["Address"])[]; "application/json; large-significand-format=string": (components["schemas"]["Address"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/{address}": {
    /** Delete an account of the wallet. The node no longer generates blocks with it or signs for it. Its assets stay on the chain. */
    delete: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { deleted: boolean }; "application/json; large-significand-format=string": { deleted: boolean } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/seed/{address}": {
    /** Seed of an account of the wallet. A secret: it gives control of the account. */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { address: components["schemas"]["Address"]; seed: components["schemas"]["Base58"] }; "application/json; large-significand-format=string": { address: components["schemas"]["Address"]; seed: components["schemas"]["Base58"] } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/bls/{address}": {
    /** BLS key of an account of the wallet. The account endorses blocks with it; a commitment to generate contains it. */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { blsPublicKey: components["schemas"]["Base58"] }; "application/json; large-significand-format=string": { blsPublicKey: components["schemas"]["Base58"] } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/wallet/seed": {
    /** Seed of the wallet. A secret: the keys of all its accounts derive from it. */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { seed: components["schemas"]["Base58"] }; "application/json; large-significand-format=string": { seed: components["schemas"]["Base58"] } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/data/{address}/{key}": {
    /** Data entry of a key */
    get: {
      parameters: {
        path: { address: string; key: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["DataEntry"]; "application/json; large-significand-format=string": components["schemas"]["DataEntry"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/data/{address}": {
    /** Data entries. All of them, those of some keys, or those whose keys match a pattern. A POST has to name keys or a pattern. */
    get: {
      parameters: {
        path: { address: string };
        query?: { key?: (string)[]; matches?: string };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["DataEntry"])[]; "application/json; large-significand-format=string": (components["schemas"]["DataEntry"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** Data entries. All of them, those of some keys, or those whose keys match a pattern. A POST has to name keys or a pattern. */
    post: {
      parameters: {
        path: { address: string };
        query?: { matches?: string };
        header?: never;
        cookie?: never;
      };
      requestBody?: { content: { "application/json": { keys: (string)[] }; "application/x-www-form-urlencoded": { key?: (string)[]; matches?: string } } };
      responses: {
        200: { content: { "application/json": (components["schemas"]["DataEntry"])[]; "application/json; large-significand-format=string": (components["schemas"]["DataEntry"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/scriptInfo/{address}": {
    /** Script of an account. An account without a script has nulls and zeros. */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["ScriptInfo"]; "application/json; large-significand-format=string": components["schemas"]["ScriptInfo"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/addresses/scriptInfo/{address}/meta": {
    /** Names and argument types of a dApp's callables */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["ScriptMeta"]; "application/json; large-significand-format=string": components["schemas"]["ScriptMeta"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/address/{address}/limit/{limit}": {
    /** Transactions of an account. A page, newest first: a list with one list in it. For a mass transfer from another account, only the transfers to this one are shown. */
    get: {
      parameters: {
        path: { address: string; limit: number };
        query?: { after?: string };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": [(components["schemas"]["TransactionWithMeta"])[]]; "application/json; large-significand-format=string": [(components["schemas"]["TransactionWithMeta"])[]] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/info/{id}": {
    /** A transaction of the chain */
    get: {
      parameters: {
        path: { id: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["TransactionWithMeta"]; "application/json; large-significand-format=string": components["schemas"]["TransactionWithMeta"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/info": {
    /** Many transactions of the chain */
    get: {
      parameters: {
        path?: never;
        query?: { id?: (string)[] };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["TransactionWithMeta"])[]; "application/json; large-significand-format=string": (components["schemas"]["TransactionWithMeta"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** Many transactions of the chain */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: { content: { "application/json": { ids: (string)[] }; "application/x-www-form-urlencoded": { id: (string)[] } } };
      responses: {
        200: { content: { "application/json": (components["schemas"]["TransactionWithMeta"])[]; "application/json; large-significand-format=string": (components["schemas"]["TransactionWithMeta"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/snapshot/{id}": {
    /** State snapshot of a transaction. New absolute values, on nodes that store them. */
    get: {
      parameters: {
        path: { id: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["TransactionSnapshot"]; "application/json; large-significand-format=string": components["schemas"]["TransactionSnapshot"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/snapshot": {
    /** State snapshots of many transactions */
    get: {
      parameters: {
        path?: never;
        query?: { id?: (string)[] };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["TransactionSnapshot"])[]; "application/json; large-significand-format=string": (components["schemas"]["TransactionSnapshot"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** State snapshots of many transactions */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: { content: { "application/json": { ids: (string)[] }; "application/x-www-form-urlencoded": { id: (string)[] } } };
      responses: {
        200: { content: { "application/json": (components["schemas"]["TransactionSnapshot"])[]; "application/json; large-significand-format=string": (components["schemas"]["TransactionSnapshot"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/status/{id}": {
    /** Status of a transaction */
    get: {
      parameters: {
        path: { id: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["TransactionStatus"]; "application/json; large-significand-format=string": components["schemas"]["TransactionStatus"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/status": {
    /** Status of many transactions */
    get: {
      parameters: {
        path?: never;
        query?: { id?: (string)[] };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["TransactionStatus"])[]; "application/json; large-significand-format=string": (components["schemas"]["TransactionStatus"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** Status of many transactions */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: { content: { "application/json": { ids: (string)[] }; "application/x-www-form-urlencoded": { id: (string)[] } } };
      responses: {
        200: { content: { "application/json": (components["schemas"]["TransactionStatus"])[]; "application/json; large-significand-format=string": (components["schemas"]["TransactionStatus"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/merkleProof": {
    /** Proofs that transactions are in their blocks */
    get: {
      parameters: {
        path?: never;
        query?: { id?: (string)[] };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["MerkleProof"])[]; "application/json; large-significand-format=string": (components["schemas"]["MerkleProof"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** Proofs that transactions are in their blocks */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: { content: { "application/json": { ids: (string)[] }; "application/x-www-form-urlencoded": { id: (string)[] } } };
      responses: {
        200: { content: { "application/json": (components["schemas"]["MerkleProof"])[]; "application/json; large-significand-format=string": (components["schemas"]["MerkleProof"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/unconfirmed": {
    /** Transactions that wait for a block */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["TransactionUnconfirmed"])[]; "application/json; large-significand-format=string": (components["schemas"]["TransactionUnconfirmed"])[] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/unconfirmed/size": {
    /** Number of transactions that wait for a block */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { size: number }; "application/json; large-significand-format=string": { size: number } } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/unconfirmed/info/{id}": {
    /** A transaction that waits for a block */
    get: {
      parameters: {
        path: { id: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["TransactionUnconfirmed"]; "application/json; large-significand-format=string": components["schemas"]["TransactionUnconfirmed"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/broadcast": {
    /** Broadcast a signed transaction. Submits it to the pool, from which it goes into one of the next blocks. A transaction already in the pool is accepted again. */
    post: {
      parameters: {
        path?: never;
        query?: { trace?: boolean };
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["SignedTransaction"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["TransactionBroadcast"]; "application/json; large-significand-format=string": components["schemas"]["TransactionBroadcast"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        501: { content: { "application/json": components["schemas"]["ApiError"] } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/sign": {
    /** Sign a transaction of an account of the wallet. It is neither broadcast nor checked against the state: it may be refused later. For a commitment to generate (19), a missing BLS key, proof and period are filled in. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["UnsignedTransaction"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["Transaction"]; "application/json; large-significand-format=string": components["schemas"]["Transaction"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        501: { content: { "application/json": components["schemas"]["ApiError"] } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/sign/{signerAddress}": {
    /** Sign a transaction with another account of the wallet. As a script of the sender may require. The sender must be an account of the wallet, too. */
    post: {
      parameters: {
        path: { signerAddress: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["UnsignedTransaction"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["Transaction"]; "application/json; large-significand-format=string": components["schemas"]["Transaction"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        501: { content: { "application/json": components["schemas"]["ApiError"] } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/transactions/calculateFee": {
    /** Minimum fee of a transaction. On the newest published state. The request contains the sender's key; its fee, if any, is ignored. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["UnsignedTransaction"] } };
      responses: {
        200: { content: { "application/json": { feeAssetId: components["schemas"]["AssetId"] | null; feeAmount: components["schemas"]["Int64"] }; "application/json; large-significand-format=string": { feeAssetId: components["schemas"]["AssetId"] | null; feeAmount: components["schemas"]["Int64"] } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        501: { content: { "application/json": components["schemas"]["ApiError"] } };
        503: { content: { "application/json": components["schemas"]["ApiError"] } };
      };
    };
  };
  "/utils/transactionSerialize": {
    /** Bytes of a transaction to sign. The transaction must be in the form for broadcasting, with any proofs or with `[]`. For types 3 to 10 it may have `senderPk` instead of `senderPublicKey` and proofs. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["SignedTransaction"] } };
      responses: {
        200: { content: { "application/json": { bytes: (unknown)[] }; "application/json; large-significand-format=string": { bytes: (unknown)[] } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        501: { content: { "application/json": components["schemas"]["ApiError"] } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/assets/nft/{address}/limit/{limit}": {
    /** NFTs of an account. A page of them. */
    get: {
      parameters: {
        path: { address: string; limit: number };
        query?: { after?: string };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["Nft"])[]; "application/json; large-significand-format=string": (components["schemas"]["Nft"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** NFTs of an account. A page of them. */
    post: {
      parameters: {
        path: { address: string; limit: number };
        query?: { after?: string };
        header?: never;
        cookie?: never;
      };
      requestBody?: { content: { "application/json": { after?: string }; "application/x-www-form-urlencoded": { after?: string } } };
      responses: {
        200: { content: { "application/json": (components["schemas"]["Nft"])[]; "application/json; large-significand-format=string": (components["schemas"]["Nft"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/assets/{assetId}/distribution": {
    /** Holders of an asset. Balances by address, at the tip. */
    get: {
      parameters: {
        path: { assetId: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": Record<string, components["schemas"]["Int64"]>; "application/json; large-significand-format=string": Record<string, components["schemas"]["Int64"]> } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/assets/{assetId}/distribution/{height}/limit/{limit}": {
    /** Holders of an asset at a height. A page; `lastItem` is the `after` of the next one. */
    get: {
      parameters: {
        path: { assetId: string; height: number; limit: number };
        query?: { after?: string };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["DistributionPage"]; "application/json; large-significand-format=string": components["schemas"]["DistributionPage"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/assets/details/{assetId}": {
    /** An asset */
    get: {
      parameters: {
        path: { assetId: string };
        query?: { full?: boolean };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["AssetDetails"]; "application/json; large-significand-format=string": components["schemas"]["AssetDetails"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/assets/details": {
    /** Many assets */
    get: {
      parameters: {
        path?: never;
        query?: { full?: boolean; id?: (string)[] };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["AssetDetails"])[]; "application/json; large-significand-format=string": (components["schemas"]["AssetDetails"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** Many assets */
    post: {
      parameters: {
        path?: never;
        query?: { full?: boolean };
        header?: never;
        cookie?: never;
      };
      requestBody?: { content: { "application/json": { ids: (string)[] }; "application/x-www-form-urlencoded": { id: (string)[] } } };
      responses: {
        200: { content: { "application/json": (components["schemas"]["AssetDetails"])[]; "application/json; large-significand-format=string": (components["schemas"]["AssetDetails"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/assets/balance/{address}": {
    /** Assets that an account holds. Without ids: all its assets, except NFTs. */
    get: {
      parameters: {
        path: { address: string };
        query?: { id?: (string)[] };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["AssetBalances"]; "application/json; large-significand-format=string": components["schemas"]["AssetBalances"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** Assets that an account holds. Without ids: all its assets, except NFTs. */
    post: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: { content: { "application/json": { ids: (string)[] }; "application/x-www-form-urlencoded": { id: (string)[] } } };
      responses: {
        200: { content: { "application/json": components["schemas"]["AssetBalances"]; "application/json; large-significand-format=string": components["schemas"]["AssetBalances"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/assets/balance/{address}/{assetId}": {
    /** Balance of an asset */
    get: {
      parameters: {
        path: { address: string; assetId: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["AssetBalance"]; "application/json; large-significand-format=string": components["schemas"]["AssetBalance"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/leasing/active/{address}": {
    /** Active leases from and to an account. Newest first. */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["Lease"])[]; "application/json; large-significand-format=string": (components["schemas"]["Lease"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/leasing/info/{id}": {
    /** A lease */
    get: {
      parameters: {
        path: { id: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Lease"]; "application/json; large-significand-format=string": components["schemas"]["Lease"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/leasing/info": {
    /** Many leases */
    get: {
      parameters: {
        path?: never;
        query?: { id?: (string)[] };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["Lease"])[]; "application/json; large-significand-format=string": (components["schemas"]["Lease"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** Many leases */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: { content: { "application/json": { ids: (string)[] }; "application/x-www-form-urlencoded": { id: (string)[] } } };
      responses: {
        200: { content: { "application/json": (components["schemas"]["Lease"])[]; "application/json; large-significand-format=string": (components["schemas"]["Lease"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/alias/by-alias/{alias}": {
    /** Owner of an alias */
    get: {
      parameters: {
        path: { alias: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { address: components["schemas"]["Address"] }; "application/json; large-significand-format=string": { address: components["schemas"]["Address"] } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The requested resource could not be found but may be available again in the future." } };
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/alias/by-address/{address}": {
    /** Aliases of an account. The newest first, with their prefix. */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (string)[]; "application/json; large-significand-format=string": (string)[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/activation/status": {
    /** Features, and the votes for them */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["ActivationStatus"]; "application/json; large-significand-format=string": components["schemas"]["ActivationStatus"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blockchain/rewards": {
    /** The block reward, and the votes on it */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Rewards"]; "application/json; large-significand-format=string": components["schemas"]["Rewards"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/blockchain/rewards/{height}": {
    /** The block reward at a height */
    get: {
      parameters: {
        path: { height: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Rewards"]; "application/json; large-significand-format=string": components["schemas"]["Rewards"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/eth": {
    /** A call of Ethereum's JSON-RPC. - `eth_chainId`: The byte of the chain. - `net_version`: The same. - `eth_blockNumber`: The height. - `eth_getTransactionCount`: The time in milliseconds, which is the nonce of a transaction. - `eth_getBlockByNumber`: `earliest`, `latest`, `pending` or a number: `{number}`. - `eth_getBlockByHash`: Id of a block: `{baseFeePerGas}`, or null. - `eth_getBalance`: Account: its WAVES in units of 10^-18. - `eth_sendRawTransaction`: Signed transaction: its id, or the catalogue error for a refusal. - `eth_getTransactionReceipt`: Id of a transaction: its receipt, or null. - `eth_getTransactionByHash`: Id of a transaction: the transaction, or null. - `eth_call`: `{to, data}`: `symbol`, `decimals` or `balanceOf` of an asset. - `eth_estimateGas`: `{to, value, data}`: the minimum fee, wavelets, or an error of the catalogue. - `eth_gasPrice`: 10 gwei. - `eth_getCode`: Account: `0xff` for a dApp and for an asset, else `0x`. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["JsonRpcRequest"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["JsonRpcAnswer"]; "application/json; large-significand-format=string": components["schemas"]["JsonRpcAnswer"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/eth/assets": {
    /** Assets by their addresses in Ethereum's tools */
    get: {
      parameters: {
        path?: never;
        query?: { id?: (string)[] };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["AssetDetails"])[]; "application/json; large-significand-format=string": (components["schemas"]["AssetDetails"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
    /** Assets by their addresses in Ethereum's tools */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: { content: { "application/json": { ids: (string)[] }; "application/x-www-form-urlencoded": { id: (string)[] } } };
      responses: {
        200: { content: { "application/json": (components["schemas"]["AssetDetails"])[]; "application/json; large-significand-format=string": (components["schemas"]["AssetDetails"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/eth/abi/{address}": {
    /** Functions of a dApp for Ethereum's wallets. An empty response for an account without a script. */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["ContractAbi"]; "application/json; large-significand-format=string": components["schemas"]["ContractAbi"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/node/status": {
    /** Heights, and the time of the last block */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { blockchainHeight: number; stateHeight: number; updatedTimestamp: components["schemas"]["Timestamp"]; updatedDate: string }; "application/json; large-significand-format=string": { blockchainHeight: number; stateHeight: number; updatedTimestamp: components["schemas"]["Timestamp"]; updatedDate: string } } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/node/version": {
    /** Release of the interface */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { version: string }; "application/json; large-significand-format=string": { version: string } } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/health": {
    /** Health check. Status 503 with a list of problems if the node does not work. Only this implementation has it. */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { status: "ok" | "failing"; problems: (string)[]; height: number | null; readHeight: number | null; tipTimestamp: components["schemas"]["Timestamp"] | null; readLagBlocks: number | null; readLagMs: components["schemas"]["Int64"] | null; connectedPeers: number | null; blocksAhead: number | null }; "application/json; large-significand-format=string": { status: "ok" | "failing"; problems: (string)[]; height: number | null; readHeight: number | null; tipTimestamp: components["schemas"]["Timestamp"] | null; readLagBlocks: number | null; readLagMs: components["schemas"]["Int64"] | null; connectedPeers: number | null; blocksAhead: number | null } } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/metrics": {
    /** Metrics for Prometheus. Heights, the lag of the read model, peers, and the resources used by requests to the responding isolate. Only this implementation has it. */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "text/plain": string } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/utils/time": {
    /** The node's clock */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { system: components["schemas"]["Timestamp"]; NTP: components["schemas"]["Timestamp"] }; "application/json; large-significand-format=string": { system: components["schemas"]["Timestamp"]; NTP: components["schemas"]["Timestamp"] } } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/utils/seed": {
    /** Random bytes. 32 of them. */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { seed: components["schemas"]["Base58"] }; "application/json; large-significand-format=string": { seed: components["schemas"]["Base58"] } } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/utils/seed/{length}": {
    /** Random bytes of a given length. At most 1,024. */
    get: {
      parameters: {
        path: { length: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { seed: components["schemas"]["Base58"] }; "application/json; large-significand-format=string": { seed: components["schemas"]["Base58"] } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/utils/hash/secure": {
    /** Keccak-256 of BLAKE2b-256. A JSON object whose only member is a text `message` stands for that text. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "text/plain": string } };
      responses: {
        200: { content: { "application/json": { message: string; hash: components["schemas"]["Base58"] }; "application/json; large-significand-format=string": { message: string; hash: components["schemas"]["Base58"] } } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/utils/hash/fast": {
    /** BLAKE2b-256 */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "text/plain": string } };
      responses: {
        200: { content: { "application/json": { message: string; hash: components["schemas"]["Base58"] }; "application/json; large-significand-format=string": { message: string; hash: components["schemas"]["Base58"] } } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/utils/script/compileCode": {
    /** Compile a script */
    post: {
      parameters: {
        path?: never;
        query?: { compact?: boolean };
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "text/plain": string } };
      responses: {
        200: { content: { "application/json": components["schemas"]["CompiledScript"]; "application/json; large-significand-format=string": components["schemas"]["CompiledScript"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/utils/script/compileWithImports": {
    /** Compile a script that imports libraries */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": { script: string; imports: Record<string, string> } } };
      responses: {
        200: { content: { "application/json": components["schemas"]["CompiledWithImports"]; "application/json; large-significand-format=string": components["schemas"]["CompiledWithImports"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/utils/script/decompile": {
    /** Decompile a script */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "text/plain": string } };
      responses: {
        200: { content: { "application/json": components["schemas"]["DecompiledScript"]; "application/json; large-significand-format=string": components["schemas"]["DecompiledScript"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/utils/script/estimate": {
    /** Complexity of a script. By the estimator in force at the tip. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "text/plain": string } };
      responses: {
        200: { content: { "application/json": components["schemas"]["ScriptEstimate"]; "application/json; large-significand-format=string": components["schemas"]["ScriptEstimate"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/utils/script/evaluate/{address}": {
    /** Evaluate an expression or a call at a dApp. The state does not change. Errors of the script have status 200. */
    post: {
      parameters: {
        path: { address: string };
        query?: { trace?: boolean };
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["EvaluationRequest"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["Evaluation"]; "application/json; large-significand-format=string": components["schemas"]["Evaluation"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/validate": {
    /** Validate a transaction. On the tip and the priority pool, without submitting it. Errors of the transaction have status 200. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["SignedTransaction"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["Validation"]; "application/json; large-significand-format=string": components["schemas"]["Validation"] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        501: { content: { "application/json": components["schemas"]["ApiError"] } };
        503: { content: { "application/json": components["schemas"]["ApiError"] } };
      };
    };
  };
  "/debug/info": {
    /** Activity of the node. Activity with peers is in the reference's terms, as far as it is the same. */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["NodeActivity"]; "application/json; large-significand-format=string": components["schemas"]["NodeActivity"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/minerInfo": {
    /** Accounts of the wallet that may make the next block. With the time of their next block. Accounts with a script are left out; a node that makes no blocks has none. */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": ({ address: components["schemas"]["Address"]; miningBalance: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"] })[]; "application/json; large-significand-format=string": ({ address: components["schemas"]["Address"]; miningBalance: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"] })[] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/configInfo": {
    /** Settings in force. Without secrets: neither the wallet's seed nor the hash of the API key. */
    get: {
      parameters: {
        path?: never;
        query: { full: boolean };
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["Configuration"]; "application/json; large-significand-format=string": components["schemas"]["Configuration"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/rollback": {
    /** Roll back blocks. All above the height, including final ones; at most `db.max-rollback-depth`. A node that makes blocks continues from there. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": { rollbackTo: number; returnTransactionsToUtx: boolean } } };
      responses: {
        200: { content: { "application/json": { BlockId: components["schemas"]["Id"] }; "application/json; large-significand-format=string": { BlockId: components["schemas"]["Id"] } } };
        400: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "Block at height not found" } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/blacklist": {
    /** Blacklist a node. Its connections are closed. A node without peers refuses with error 199. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "text/plain": string } };
      responses: {
        200: { content: { "text/plain": string } };
        400: { content: { "application/json": components["schemas"]["ApiError"]; "text/plain": "The request contains bad syntax or cannot be fulfilled." } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/print": {
    /** Write into the node's log. The first 250 characters. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": { message: string } } };
      responses: {
        200: { content: { "text/plain": string } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/node/stop": {
    /** Stop the node. A local node ends. A deployed one makes no more blocks until it is deployed again, still responds to requests, and says so. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { stopped: true; notice?: string }; "application/json; large-significand-format=string": { stopped: true; notice?: string } } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/balances/history/{address}": {
    /** Balance history of an account. Newest first; at least as far back as a forced rollback may go, and the last change before that. */
    get: {
      parameters: {
        path: { address: string };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": (components["schemas"]["BalanceAtHeight"])[]; "application/json; large-significand-format=string": (components["schemas"]["BalanceAtHeight"])[] } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/stateHash/last": {
    /** State hashes of the block before the last one */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["StateHash"]; "application/json; large-significand-format=string": components["schemas"]["StateHash"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/stateHash/{height}": {
    /** State hashes at a height. 404 if the node has none. */
    get: {
      parameters: {
        path: { height: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": components["schemas"]["StateHash"]; "application/json; large-significand-format=string": components["schemas"]["StateHash"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/state": {
    /** WAVES of all accounts */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": Record<string, components["schemas"]["Int64"]>; "application/json; large-significand-format=string": Record<string, components["schemas"]["Int64"]> } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/stateWaves/{height}": {
    /** WAVES of all accounts at a height */
    get: {
      parameters: {
        path: { height: number };
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": Record<string, components["schemas"]["Int64"]>; "application/json; large-significand-format=string": Record<string, components["schemas"]["Int64"]> } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/debug/checkpoint": {
    /** Write or load a checkpoint. Part by part, as `npm run checkpoint` requests them. While one is written the chain stops; one can only be loaded into a node without a chain. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": { call: "beginExport" | "exportPart" | "endExport" | "standing" | "begin" | "add" | "goOn" | "giveUp"; past?: "all" | "none"; place?: { table: number; after?: string }; manifest?: string; number?: number; packed?: string; isLast?: boolean } } };
      responses: {
        200: { content: { "application/json": { head?: string; tables?: ({ name: string; columns: (string)[] })[]; part?: { table: string; rows: number; bytes: number; digest: string; packed: string }; next?: { table: number; after?: string }; height?: number; begunFrom?: string; loading?: { digest: string; parts: number; missing: (number)[] }; progress?: string }; "application/json; large-significand-format=string": { head?: string; tables?: ({ name: string; columns: (string)[] })[]; part?: { table: string; rows: number; bytes: number; digest: string; packed: string }; next?: { table: number; after?: string }; height?: number; begunFrom?: string; loading?: { digest: string; parts: number; missing: (number)[] }; progress?: string } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/peers/all": {
    /** Known nodes. The 1000 seen last, without blacklisted ones. */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { peers: ({ address: string; lastSeen: components["schemas"]["Timestamp"] })[] }; "application/json; large-significand-format=string": { peers: ({ address: string; lastSeen: components["schemas"]["Timestamp"] })[] } } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/peers/connected": {
    /** Connected nodes. `declaredAddress`: address that the node declares for incoming connections; `N/A` if it declares none. */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { peers: ({ address: string; declaredAddress: string; peerName: string; peerNonce: components["schemas"]["Int64"]; applicationName: string; applicationVersion: string })[] }; "application/json; large-significand-format=string": { peers: ({ address: string; declaredAddress: string; peerName: string; peerNonce: components["schemas"]["Int64"]; applicationName: string; applicationVersion: string })[] } } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/peers/blacklisted": {
    /** Blacklisted nodes. With start and reason. */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": ({ hostname: string; timestamp: components["schemas"]["Timestamp"]; reason: string })[]; "application/json; large-significand-format=string": ({ hostname: string; timestamp: components["schemas"]["Timestamp"]; reason: string })[] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/peers/suspended": {
    /** Suspended nodes */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": ({ hostname: string; timestamp: components["schemas"]["Timestamp"] })[]; "application/json; large-significand-format=string": ({ hostname: string; timestamp: components["schemas"]["Timestamp"] })[] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/peers/connect": {
    /** Connect to another node. The response does not wait for the connection. A node without peers refuses with error 199. */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": { host: string; port: number } } };
      responses: {
        200: { content: { "application/json": { hostname: string; status: string }; "application/json; large-significand-format=string": { hostname: string; status: string } } };
        400: { content: { "application/json": components["schemas"]["ApiError"] } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
  "/peers/clearblacklist": {
    /** Clear the blacklist */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: { "application/json": { result: "blacklist cleared" }; "application/json; large-significand-format=string": { result: "blacklist cleared" } } };
        403: { content: { "application/json": components["schemas"]["ApiError"] } };
        404: components["responses"]["NoRoute"];
        503: components["responses"]["NoTimelyAnswer"];
      };
    };
  };
}

export interface components {
  schemas: {
    Height: { height: number };
    BlockHeader: { version: number; timestamp: components["schemas"]["Timestamp"]; reference: components["schemas"]["Id"]; "nxt-consensus": { "base-target": number; "generation-signature": components["schemas"]["Base58"] }; transactionsRoot?: components["schemas"]["Base58"]; id: components["schemas"]["Id"]; features?: (number)[]; desiredReward?: components["schemas"]["Int64"]; generator: components["schemas"]["Address"]; generatorPublicKey: components["schemas"]["PublicKey"]; stateHash?: components["schemas"]["ByteString"]; challengedHeader?: { headerSignature: components["schemas"]["Base58"]; features?: (number)[]; desiredReward?: components["schemas"]["Int64"]; generator: components["schemas"]["Address"]; generatorPublicKey: components["schemas"]["PublicKey"]; stateHash?: components["schemas"]["ByteString"]; finalizationVoting?: components["schemas"]["FinalizationVoting"] }; finalizationVoting?: components["schemas"]["FinalizationVoting"]; signature: components["schemas"]["Base58"]; blocksize: number; transactionCount: number; height: number; totalFee: components["schemas"]["Int64"]; reward: components["schemas"]["Int64"]; rewardShares: Record<string, components["schemas"]["Int64"]>; VRF?: components["schemas"]["Base58"] };
    /** Milliseconds since the epoch. */
    Timestamp: number;
    /** Id in base58: 32 bytes, or 64 if a signature is the id. */
    Id: string;
    /** Bytes in base58. */
    Base58: string;
    /** 64-bit integer, exact. A JSON parser that converts it to a double rounds values above 2^53; a request with `Accept: application/json;large-significand-format=string` gets amounts as strings of digits. */
    Int64: number | string;
    /** Address: base58 of 26 bytes, the second of which is the chain id. */
    Address: string;
    /** Public key: base58 of 32 bytes; of 64 for an Ethereum wallet. */
    PublicKey: string;
    /** Bytes in base58; from 1,024 on in base64, with `base64:` before it. */
    ByteString: string;
    /** From feature 25 on. Empty members are left out. */
    FinalizationVoting: { endorserIndexes?: (number)[]; aggregatedEndorsementSignature?: components["schemas"]["Base58"]; finalizedHeight?: number; conflictEndorsements?: ({ endorserIndex: number; finalizedBlockId: components["schemas"]["Base58"]; finalizedHeight: number; signature: components["schemas"]["Base58"] })[] };
    Finality: { height: number; finalizedHeight: number; currentGenerationPeriod: { start: number; end: number } | null; currentGenerators: ({ address: components["schemas"]["Address"]; transactionId: components["schemas"]["Id"]; balance: components["schemas"]["Int64"]; conflictHeight: number | null })[]; nextGenerationPeriod: { start: number; end: number } | null; nextGenerators: ({ address: components["schemas"]["Address"]; transactionId: components["schemas"]["Id"] })[] };
    Generators: ({ address: components["schemas"]["Address"]; transactionId: components["schemas"]["Id"]; balance?: components["schemas"]["Int64"]; conflictHeight?: number })[];
    Block: components["schemas"]["BlockHeader"] & { fee: components["schemas"]["Int64"]; transactions: (components["schemas"]["TransactionInBlock"])[] };
    TransactionInBlock: components["schemas"]["GenesisTransactionInBlock"] | components["schemas"]["PaymentTransactionInBlock"] | components["schemas"]["IssueTransactionInBlock"] | components["schemas"]["TransferTransactionInBlock"] | components["schemas"]["ReissueTransactionInBlock"] | components["schemas"]["BurnTransactionInBlock"] | components["schemas"]["ExchangeTransactionInBlock"] | components["schemas"]["LeaseTransactionInBlock"] | components["schemas"]["LeaseCancelTransactionInBlock"] | components["schemas"]["CreateAliasTransactionInBlock"] | components["schemas"]["MassTransferTransactionInBlock"] | components["schemas"]["DataTransactionInBlock"] | components["schemas"]["SetScriptTransactionInBlock"] | components["schemas"]["SponsorFeeTransactionInBlock"] | components["schemas"]["SetAssetScriptTransactionInBlock"] | components["schemas"]["InvokeScriptTransactionInBlock"] | components["schemas"]["UpdateAssetInfoTransactionInBlock"] | components["schemas"]["EthereumTransactionInBlock"] | components["schemas"]["CommitToGenerationTransactionInBlock"];
    GenesisTransactionInBlock: components["schemas"]["GenesisTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    PaymentTransactionInBlock: components["schemas"]["PaymentTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    /** Id of an asset: base58 of 32 bytes. */
    AssetId: string;
    IssueTransactionInBlock: components["schemas"]["IssueTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    /** Compiled script: `base64:` and its bytes in base64. */
    Script: string;
    TransferTransactionInBlock: components["schemas"]["TransferTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    /** Address, or alias with its prefix: `alias:<letter of the chain>:<name>`. */
    Recipient: string;
    ReissueTransactionInBlock: components["schemas"]["ReissueTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    BurnTransactionInBlock: components["schemas"]["BurnTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    ExchangeTransactionInBlock: components["schemas"]["ExchangeTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    Order: { version: number; senderPublicKey: components["schemas"]["PublicKey"]; matcherPublicKey: components["schemas"]["PublicKey"]; assetPair: { amountAsset: components["schemas"]["AssetId"] | null; priceAsset: components["schemas"]["AssetId"] | null }; orderType: "buy" | "sell"; amount: components["schemas"]["Int64"]; price: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; expiration: components["schemas"]["Timestamp"]; matcherFee: components["schemas"]["Int64"]; signature: components["schemas"]["Base58"]; proofs?: (components["schemas"]["Base58"])[]; matcherFeeAssetId?: components["schemas"]["AssetId"] | null; eip712Signature?: unknown; priceMode?: "fixedDecimals" | "assetDecimals" | null; attachment?: components["schemas"]["ByteString"]; id: components["schemas"]["Id"]; sender: components["schemas"]["Address"] };
    LeaseTransactionInBlock: components["schemas"]["LeaseTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    LeaseCancelTransactionInBlock: components["schemas"]["LeaseCancelTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    CreateAliasTransactionInBlock: components["schemas"]["CreateAliasTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    MassTransferTransactionInBlock: components["schemas"]["MassTransferTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    DataTransactionInBlock: components["schemas"]["DataTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    DataEntryChange: components["schemas"]["DataEntry"] | { key: string; value: null };
    DataEntry: { key: string; type: "integer"; value: components["schemas"]["Int64"] } | { key: string; type: "boolean"; value: boolean } | { key: string; type: "binary"; value: string } | { key: string; type: "string"; value: string };
    SetScriptTransactionInBlock: components["schemas"]["SetScriptTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    SponsorFeeTransactionInBlock: components["schemas"]["SponsorFeeTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    SetAssetScriptTransactionInBlock: components["schemas"]["SetAssetScriptTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    InvokeScriptTransactionInBlock: components["schemas"]["InvokeScriptTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    FunctionCall: { function: string; args: (components["schemas"]["CallArgument"])[] };
    CallArgument: { type: "integer"; value: components["schemas"]["Int64"] } | { type: "boolean"; value: boolean } | { type: "binary"; value: string } | { type: "string"; value: string } | { type: "list"; value: ({ type: "integer"; value: components["schemas"]["Int64"] } | { type: "boolean"; value: boolean } | { type: "binary"; value: string } | { type: "string"; value: string })[] };
    UpdateAssetInfoTransactionInBlock: components["schemas"]["UpdateAssetInfoTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    EthereumTransactionInBlock: components["schemas"]["EthereumTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    CommitToGenerationTransactionInBlock: components["schemas"]["CommitToGenerationTransaction"] & { applicationStatus?: "succeeded" | "script_execution_failed" | "elided" };
    BalanceDetails: { address: components["schemas"]["Address"]; regular: components["schemas"]["Int64"]; generating: components["schemas"]["Int64"]; available: components["schemas"]["Int64"]; effective: components["schemas"]["Int64"] };
    BalanceOfAddress: { id: components["schemas"]["Address"]; balance: components["schemas"]["Int64"] };
    Balance: { address: components["schemas"]["Address"]; confirmations: number; balance: components["schemas"]["Int64"] };
    ScriptInfo: { address: components["schemas"]["Address"]; script: components["schemas"]["Script"] | null; scriptText: unknown; version: number | null; complexity: components["schemas"]["Int64"]; verifierComplexity: components["schemas"]["Int64"]; callableComplexities: Record<string, components["schemas"]["Int64"]>; extraFee: components["schemas"]["Int64"]; publicKey: components["schemas"]["PublicKey"] | null };
    ScriptMeta: { address: components["schemas"]["Address"]; meta?: { version: string; callableFuncTypes: Record<string, ({ name: string; type: string })[]> } };
    TransactionWithMeta: components["schemas"]["GenesisTransactionWithMeta"] | components["schemas"]["PaymentTransactionWithMeta"] | components["schemas"]["IssueTransactionWithMeta"] | components["schemas"]["TransferTransactionWithMeta"] | components["schemas"]["ReissueTransactionWithMeta"] | components["schemas"]["BurnTransactionWithMeta"] | components["schemas"]["ExchangeTransactionWithMeta"] | components["schemas"]["LeaseTransactionWithMeta"] | components["schemas"]["LeaseCancelTransactionWithMeta"] | components["schemas"]["CreateAliasTransactionWithMeta"] | components["schemas"]["MassTransferTransactionWithMeta"] | components["schemas"]["DataTransactionWithMeta"] | components["schemas"]["SetScriptTransactionWithMeta"] | components["schemas"]["SponsorFeeTransactionWithMeta"] | components["schemas"]["SetAssetScriptTransactionWithMeta"] | components["schemas"]["InvokeScriptTransactionWithMeta"] | components["schemas"]["UpdateAssetInfoTransactionWithMeta"] | components["schemas"]["EthereumTransactionWithMeta"] | components["schemas"]["CommitToGenerationTransactionWithMeta"];
    GenesisTransactionWithMeta: components["schemas"]["GenesisTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    PaymentTransactionWithMeta: components["schemas"]["PaymentTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    IssueTransactionWithMeta: components["schemas"]["IssueTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    TransferTransactionWithMeta: components["schemas"]["TransferTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    ReissueTransactionWithMeta: components["schemas"]["ReissueTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    BurnTransactionWithMeta: components["schemas"]["BurnTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    ExchangeTransactionWithMeta: components["schemas"]["ExchangeTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    LeaseTransactionWithMeta: components["schemas"]["LeaseTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"]; status: "active" | "canceled" };
    LeaseCancelTransactionWithMeta: components["schemas"]["LeaseCancelTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"]; lease: components["schemas"]["LeaseReference"] };
    LeaseReference: { id: components["schemas"]["Id"]; cancelHeight: number | null; cancelTransactionId: components["schemas"]["Id"] | null; originTransactionId: components["schemas"]["Id"] | null; sender: components["schemas"]["Address"] | null; recipient: components["schemas"]["Address"] | null; amount: components["schemas"]["Int64"] | null; height: number | null; status: "active" | "canceled" };
    CreateAliasTransactionWithMeta: components["schemas"]["CreateAliasTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    MassTransferTransactionWithMeta: components["schemas"]["MassTransferTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    DataTransactionWithMeta: components["schemas"]["DataTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    SetScriptTransactionWithMeta: components["schemas"]["SetScriptTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    SponsorFeeTransactionWithMeta: components["schemas"]["SponsorFeeTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    SetAssetScriptTransactionWithMeta: components["schemas"]["SetAssetScriptTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    InvokeScriptTransactionWithMeta: components["schemas"]["InvokeScriptTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"]; stateChanges: components["schemas"]["StateChanges"] | null };
    StateChanges: { data: (components["schemas"]["DataEntryChange"])[]; transfers: ({ address: components["schemas"]["Address"]; asset: components["schemas"]["AssetId"] | null; amount: components["schemas"]["Int64"] })[]; issues: ({ assetId: components["schemas"]["AssetId"]; name: string; description: string; quantity: components["schemas"]["Int64"]; decimals: number; isReissuable: boolean; compiledScript?: null; nonce: components["schemas"]["Int64"] })[]; reissues: ({ assetId: components["schemas"]["AssetId"]; isReissuable: boolean; quantity: components["schemas"]["Int64"] })[]; burns: ({ assetId: components["schemas"]["AssetId"]; quantity: components["schemas"]["Int64"] })[]; sponsorFees: ({ assetId: components["schemas"]["AssetId"]; minSponsoredAssetFee?: components["schemas"]["Int64"] })[]; leases: (components["schemas"]["LeaseReference"])[]; leaseCancels: (components["schemas"]["LeaseReference"])[]; invokes: ({ dApp: components["schemas"]["Address"]; call: { function: string; args: (components["schemas"]["RideValue"])[] }; payment: ({ amount: components["schemas"]["Int64"]; assetId: components["schemas"]["AssetId"] | null })[]; payments: ({ asset: components["schemas"]["AssetId"] | null; amount: components["schemas"]["Int64"] })[]; stateChanges: components["schemas"]["StateChanges"] })[]; error?: { code: number; text: string } };
    RideValue: { type: "Int"; value: components["schemas"]["Int64"] } | { type: "BigInt"; value: number } | { type: "String"; value: string } | { type: "Boolean"; value: boolean } | { type: "ByteVector"; value: components["schemas"]["Base58"] } | { type: "Array"; value: (components["schemas"]["RideValue"])[] } | { type: string; value: Record<string, components["schemas"]["RideValue"]> };
    UpdateAssetInfoTransactionWithMeta: components["schemas"]["UpdateAssetInfoTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    EthereumTransactionWithMeta: components["schemas"]["EthereumTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"]; payload: { type: "transfer"; recipient: components["schemas"]["Address"]; asset: components["schemas"]["AssetId"] | null; amount: components["schemas"]["Int64"] } | { type: "invocation"; dApp: components["schemas"]["Address"]; call: components["schemas"]["FunctionCall"] | null; payment: ({ amount: components["schemas"]["Int64"]; assetId: components["schemas"]["AssetId"] | null })[]; stateChanges: components["schemas"]["StateChanges"] | null } | Record<string, never> };
    CommitToGenerationTransactionWithMeta: components["schemas"]["CommitToGenerationTransaction"] & { height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    TransactionSnapshot: { applicationStatus: "succeeded" | "script_execution_failed" | "elided"; balances: ({ address: components["schemas"]["Address"]; asset: components["schemas"]["AssetId"] | null; balance: components["schemas"]["Int64"] })[]; leaseBalances: ({ address: components["schemas"]["Address"]; in: components["schemas"]["Int64"]; out: components["schemas"]["Int64"] })[]; assetStatics: ({ id: components["schemas"]["AssetId"]; source: components["schemas"]["Id"]; issuer: components["schemas"]["PublicKey"]; decimals: number; nft: boolean })[]; assetVolumes: ({ id: components["schemas"]["AssetId"]; isReissuable: boolean; volume: components["schemas"]["Int64"] })[]; assetNamesAndDescriptions: ({ id: components["schemas"]["AssetId"]; name: string; description: string; lastUpdatedAt: number })[]; assetScripts: ({ id: components["schemas"]["AssetId"]; script: components["schemas"]["Script"]; complexity: components["schemas"]["Int64"] })[]; sponsorships: ({ id: components["schemas"]["AssetId"]; minSponsoredAssetFee: components["schemas"]["Int64"] })[]; newLeases: ({ id: components["schemas"]["Id"]; sender: components["schemas"]["PublicKey"]; recipient: components["schemas"]["Address"]; amount: components["schemas"]["Int64"]; txId: components["schemas"]["Id"]; height: number })[]; cancelledLeases: ({ id: components["schemas"]["Id"]; txId: components["schemas"]["Id"] | null; height: number })[]; aliases: ({ address: components["schemas"]["Address"]; alias: string })[]; orderFills: ({ id: components["schemas"]["Base58"]; volume: components["schemas"]["Int64"]; fee: components["schemas"]["Int64"] })[]; accountScripts: ({ publicKey: components["schemas"]["PublicKey"]; script: components["schemas"]["Script"] | null; verifierComplexity: components["schemas"]["Int64"] })[]; accountData: ({ address: components["schemas"]["Address"]; data: (components["schemas"]["DataEntryChange"])[] })[]; nextCommittedGenerators?: ({ publicKey: components["schemas"]["PublicKey"]; blsPublicKey: components["schemas"]["Base58"] })[] };
    TransactionStatus: { status: "confirmed"; id: components["schemas"]["Id"]; height: number; confirmations: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] } | { status: "unconfirmed" | "not_found"; id: components["schemas"]["Id"] };
    MerkleProof: { id: components["schemas"]["Id"]; transactionIndex: number; merkleProof: (components["schemas"]["Base58"])[] };
    TransactionUnconfirmed: components["schemas"]["GenesisTransaction"] | components["schemas"]["PaymentTransaction"] | components["schemas"]["IssueTransaction"] | components["schemas"]["TransferTransaction"] | components["schemas"]["ReissueTransaction"] | components["schemas"]["BurnTransaction"] | components["schemas"]["ExchangeTransaction"] | components["schemas"]["LeaseTransaction"] | components["schemas"]["LeaseCancelTransactionUnconfirmed"] | components["schemas"]["CreateAliasTransaction"] | components["schemas"]["MassTransferTransaction"] | components["schemas"]["DataTransaction"] | components["schemas"]["SetScriptTransaction"] | components["schemas"]["SponsorFeeTransaction"] | components["schemas"]["SetAssetScriptTransaction"] | components["schemas"]["InvokeScriptTransaction"] | components["schemas"]["UpdateAssetInfoTransaction"] | components["schemas"]["EthereumTransaction"] | components["schemas"]["CommitToGenerationTransaction"];
    GenesisTransaction: { type: 1; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; recipient: components["schemas"]["Address"]; amount: components["schemas"]["Int64"]; signature: components["schemas"]["Base58"] };
    PaymentTransaction: { type: 2; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; recipient: components["schemas"]["Address"]; amount: components["schemas"]["Int64"] };
    IssueTransaction: { type: 3; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; signature?: components["schemas"]["Base58"]; version: number; chainId?: number; name: string; description: string; quantity: components["schemas"]["Int64"]; decimals: number; reissuable: boolean; script?: components["schemas"]["Script"] | null; assetId: components["schemas"]["AssetId"] };
    TransferTransaction: { type: 4; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; signature?: components["schemas"]["Base58"]; version: number; chainId?: number; recipient: components["schemas"]["Recipient"]; assetId: components["schemas"]["AssetId"] | null; amount: components["schemas"]["Int64"]; attachment: components["schemas"]["Base58"]; feeAsset: components["schemas"]["AssetId"] | null };
    ReissueTransaction: { type: 5; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; signature?: components["schemas"]["Base58"]; version: number; chainId?: number; assetId: components["schemas"]["AssetId"]; quantity: components["schemas"]["Int64"]; reissuable: boolean };
    BurnTransaction: { type: 6; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; signature?: components["schemas"]["Base58"]; version: number; chainId?: number; assetId: components["schemas"]["AssetId"]; amount: components["schemas"]["Int64"] };
    ExchangeTransaction: { type: 7; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; signature?: components["schemas"]["Base58"]; version: number; chainId?: number; amount: components["schemas"]["Int64"]; price: components["schemas"]["Int64"]; buyMatcherFee: components["schemas"]["Int64"]; sellMatcherFee: components["schemas"]["Int64"]; order1: components["schemas"]["Order"]; order2: components["schemas"]["Order"] };
    LeaseTransaction: { type: 8; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; signature?: components["schemas"]["Base58"]; version: number; chainId?: number; amount: components["schemas"]["Int64"]; recipient: components["schemas"]["Recipient"] };
    LeaseCancelTransactionUnconfirmed: components["schemas"]["LeaseCancelTransaction"] & { lease: components["schemas"]["LeaseReference"] };
    CreateAliasTransaction: { type: 10; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; signature?: components["schemas"]["Base58"]; version: number; chainId?: number; alias: string };
    MassTransferTransaction: { type: 11; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; version: number; chainId?: number; assetId: components["schemas"]["AssetId"] | null; attachment: components["schemas"]["Base58"]; transfers: ({ recipient: components["schemas"]["Recipient"]; amount: components["schemas"]["Int64"] })[]; transferCount: number; totalAmount: components["schemas"]["Int64"] };
    DataTransaction: { type: 12; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; version: number; chainId?: number; data: (components["schemas"]["DataEntryChange"])[] };
    SetScriptTransaction: { type: 13; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; version: number; chainId?: number; script: components["schemas"]["Script"] | null };
    SponsorFeeTransaction: { type: 14; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; version: number; chainId?: number; assetId: components["schemas"]["AssetId"]; minSponsoredAssetFee: components["schemas"]["Int64"] | null };
    SetAssetScriptTransaction: { type: 15; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; version: number; chainId?: number; assetId: components["schemas"]["AssetId"]; script: components["schemas"]["Script"] | null };
    InvokeScriptTransaction: { type: 16; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; version: number; chainId?: number; dApp: components["schemas"]["Recipient"]; payment: ({ amount: components["schemas"]["Int64"]; assetId: components["schemas"]["AssetId"] | null })[]; call: components["schemas"]["FunctionCall"] };
    UpdateAssetInfoTransaction: { type: 17; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; version: number; chainId?: number; assetId: components["schemas"]["AssetId"]; name: string; description: string };
    EthereumTransaction: { type: 18; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; version: number; chainId?: number; bytes: string };
    CommitToGenerationTransaction: { type: 19; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; version: number; chainId?: number; endorserPublicKey: components["schemas"]["Base58"]; generationPeriodStart: number; commitmentSignature: components["schemas"]["Base58"] };
    SignedTransaction: components["schemas"]["SignedIssueTransaction"] | components["schemas"]["SignedTransferTransaction"] | components["schemas"]["SignedReissueTransaction"] | components["schemas"]["SignedBurnTransaction"] | components["schemas"]["SignedExchangeTransaction"] | components["schemas"]["SignedLeaseTransaction"] | components["schemas"]["SignedLeaseCancelTransaction"] | components["schemas"]["SignedCreateAliasTransaction"] | components["schemas"]["SignedMassTransferTransaction"] | components["schemas"]["SignedDataTransaction"] | components["schemas"]["SignedSetScriptTransaction"] | components["schemas"]["SignedSponsorFeeTransaction"] | components["schemas"]["SignedSetAssetScriptTransaction"] | components["schemas"]["SignedInvokeScriptTransaction"] | components["schemas"]["SignedUpdateAssetInfoTransaction"] | components["schemas"]["SignedCommitToGenerationTransaction"];
    SignedIssueTransaction: { type: 3; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; signature?: components["schemas"]["Base58"]; name: string; description: string; quantity: components["schemas"]["Int64"]; decimals: number; reissuable: boolean; script?: components["schemas"]["Script"] | null };
    SignedTransferTransaction: { type: 4; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; signature?: components["schemas"]["Base58"]; recipient: components["schemas"]["Recipient"]; assetId?: components["schemas"]["AssetId"] | null; amount: components["schemas"]["Int64"]; attachment?: components["schemas"]["Base58"] };
    SignedReissueTransaction: { type: 5; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; signature?: components["schemas"]["Base58"]; assetId: components["schemas"]["AssetId"]; quantity: components["schemas"]["Int64"]; reissuable: boolean };
    SignedBurnTransaction: { type: 6; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; signature?: components["schemas"]["Base58"]; assetId: components["schemas"]["AssetId"]; amount: components["schemas"]["Int64"] };
    SignedExchangeTransaction: { type: 7; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; signature?: components["schemas"]["Base58"]; amount: components["schemas"]["Int64"]; price: components["schemas"]["Int64"]; buyMatcherFee: components["schemas"]["Int64"]; sellMatcherFee: components["schemas"]["Int64"]; order1: components["schemas"]["SignedOrder"]; order2: components["schemas"]["SignedOrder"] };
    SignedOrder: { matcherPublicKey: components["schemas"]["PublicKey"]; assetPair: { amountAsset: components["schemas"]["AssetId"] | null; priceAsset: components["schemas"]["AssetId"] | null }; orderType: "buy" | "sell"; amount: components["schemas"]["Int64"]; price: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; expiration: components["schemas"]["Timestamp"]; matcherFee: components["schemas"]["Int64"]; proofs?: (components["schemas"]["Base58"])[]; matcherFeeAssetId?: components["schemas"]["AssetId"] | null; eip712Signature?: unknown; priceMode?: "fixedDecimals" | "assetDecimals" | null; attachment?: components["schemas"]["ByteString"]; version?: number; senderPublicKey?: components["schemas"]["PublicKey"]; signature?: components["schemas"]["Base58"] };
    SignedLeaseTransaction: { type: 8; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; signature?: components["schemas"]["Base58"]; amount: components["schemas"]["Int64"]; recipient: components["schemas"]["Recipient"] };
    SignedLeaseCancelTransaction: { type: 9; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; signature?: components["schemas"]["Base58"]; leaseId: components["schemas"]["Id"] };
    SignedCreateAliasTransaction: { type: 10; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; signature?: components["schemas"]["Base58"]; alias: string };
    SignedMassTransferTransaction: { type: 11; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; assetId?: components["schemas"]["AssetId"] | null; attachment?: components["schemas"]["Base58"]; transfers: ({ recipient: components["schemas"]["Recipient"]; amount: components["schemas"]["Int64"] })[] };
    SignedDataTransaction: { type: 12; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; data: (components["schemas"]["DataEntryChange"])[] };
    SignedSetScriptTransaction: { type: 13; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; script?: components["schemas"]["Script"] | null };
    SignedSponsorFeeTransaction: { type: 14; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; assetId: components["schemas"]["AssetId"]; minSponsoredAssetFee: components["schemas"]["Int64"] | null };
    SignedSetAssetScriptTransaction: { type: 15; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; assetId: components["schemas"]["AssetId"]; script: components["schemas"]["Script"] | null };
    SignedInvokeScriptTransaction: { type: 16; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; dApp: components["schemas"]["Recipient"]; payment?: ({ amount: components["schemas"]["Int64"]; assetId: components["schemas"]["AssetId"] | null })[]; call?: components["schemas"]["FunctionCall"] };
    SignedUpdateAssetInfoTransaction: { type: 17; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; assetId: components["schemas"]["AssetId"]; name: string; description: string };
    SignedCommitToGenerationTransaction: { type: 19; version?: number; chainId?: number; senderPublicKey: components["schemas"]["PublicKey"]; fee: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; proofs?: (components["schemas"]["Base58"])[] | null; endorserPublicKey: components["schemas"]["Base58"]; generationPeriodStart: number; commitmentSignature: components["schemas"]["Base58"] };
    TransactionBroadcast: components["schemas"]["GenesisTransactionBroadcast"] | components["schemas"]["PaymentTransactionBroadcast"] | components["schemas"]["IssueTransactionBroadcast"] | components["schemas"]["TransferTransactionBroadcast"] | components["schemas"]["ReissueTransactionBroadcast"] | components["schemas"]["BurnTransactionBroadcast"] | components["schemas"]["ExchangeTransactionBroadcast"] | components["schemas"]["LeaseTransactionBroadcast"] | components["schemas"]["LeaseCancelTransactionBroadcast"] | components["schemas"]["CreateAliasTransactionBroadcast"] | components["schemas"]["MassTransferTransactionBroadcast"] | components["schemas"]["DataTransactionBroadcast"] | components["schemas"]["SetScriptTransactionBroadcast"] | components["schemas"]["SponsorFeeTransactionBroadcast"] | components["schemas"]["SetAssetScriptTransactionBroadcast"] | components["schemas"]["InvokeScriptTransactionBroadcast"] | components["schemas"]["UpdateAssetInfoTransactionBroadcast"] | components["schemas"]["EthereumTransactionBroadcast"] | components["schemas"]["CommitToGenerationTransactionBroadcast"];
    GenesisTransactionBroadcast: components["schemas"]["GenesisTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    BroadcastTraceStep: { type: "verifier"; id: components["schemas"]["Address"]; result: "success" | "failure"; error: unknown; vars?: (components["schemas"]["RideVariable"])[] } | { type: "asset"; context: "unknown" | "orderAmount" | "orderPrice" | "matcherFee" | "payment" | "reissue" | "burn" | "sponsor" | "transfer" | "updateInfo"; id: components["schemas"]["AssetId"]; result: "success" | "failure"; error: unknown; vars?: (components["schemas"]["RideVariable"])[] } | components["schemas"]["BroadcastTraceCall"];
    RideVariable: { name: string; type: string; value: unknown } | { name: string; error: unknown };
    BroadcastTraceCall: { type: "dApp"; id: components["schemas"]["Address"]; function: string; args: (string)[]; invocations: (components["schemas"]["BroadcastTraceCall"])[]; result: "success" | "failure" | components["schemas"]["TracedChanges"]; error: unknown; vars?: (components["schemas"]["RideVariable"])[] };
    TracedChanges: { data: (components["schemas"]["DataEntryChange"])[]; transfers: ({ address: components["schemas"]["Address"]; asset: components["schemas"]["AssetId"] | null; amount: components["schemas"]["Int64"] })[]; issues: ({ assetId: components["schemas"]["AssetId"]; name: string; description: string; quantity: components["schemas"]["Int64"]; decimals: number; isReissuable: boolean; compiledScript?: null; nonce: components["schemas"]["Int64"] })[]; reissues: ({ assetId: components["schemas"]["AssetId"]; isReissuable: boolean; quantity: components["schemas"]["Int64"] })[]; burns: ({ assetId: components["schemas"]["AssetId"]; quantity: components["schemas"]["Int64"] })[]; sponsorFees: ({ assetId: components["schemas"]["AssetId"]; minSponsoredAssetFee?: components["schemas"]["Int64"] })[]; leases: ({ recipient: string; amount: components["schemas"]["Int64"]; nonce: components["schemas"]["Int64"]; id: components["schemas"]["Id"]; originTransactionId: components["schemas"]["Id"]; sender: components["schemas"]["Address"]; height: number; status: "active"; cancelHeight: null; cancelTransactionId: null })[]; leaseCancels: ({ id: components["schemas"]["Id"] })[]; invokes: ({ dApp: components["schemas"]["Address"]; call: { function: string; args: (components["schemas"]["RideValue"])[] }; payment: ({ amount: components["schemas"]["Int64"]; assetId: components["schemas"]["AssetId"] | null })[]; payments: ({ asset: components["schemas"]["AssetId"] | null; amount: components["schemas"]["Int64"] })[]; stateChanges: components["schemas"]["TracedChanges"] })[]; error?: { code: number; text: string } };
    PaymentTransactionBroadcast: components["schemas"]["PaymentTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    IssueTransactionBroadcast: components["schemas"]["IssueTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    TransferTransactionBroadcast: components["schemas"]["TransferTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    ReissueTransactionBroadcast: components["schemas"]["ReissueTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    BurnTransactionBroadcast: components["schemas"]["BurnTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    ExchangeTransactionBroadcast: components["schemas"]["ExchangeTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    LeaseTransactionBroadcast: components["schemas"]["LeaseTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    LeaseCancelTransactionBroadcast: components["schemas"]["LeaseCancelTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    CreateAliasTransactionBroadcast: components["schemas"]["CreateAliasTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    MassTransferTransactionBroadcast: components["schemas"]["MassTransferTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    DataTransactionBroadcast: components["schemas"]["DataTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    SetScriptTransactionBroadcast: components["schemas"]["SetScriptTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    SponsorFeeTransactionBroadcast: components["schemas"]["SponsorFeeTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    SetAssetScriptTransactionBroadcast: components["schemas"]["SetAssetScriptTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    InvokeScriptTransactionBroadcast: components["schemas"]["InvokeScriptTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    UpdateAssetInfoTransactionBroadcast: components["schemas"]["UpdateAssetInfoTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    EthereumTransactionBroadcast: components["schemas"]["EthereumTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    CommitToGenerationTransactionBroadcast: components["schemas"]["CommitToGenerationTransaction"] & { trace?: (components["schemas"]["BroadcastTraceStep"])[] };
    UnsignedTransaction: components["schemas"]["UnsignedIssueTransaction"] | components["schemas"]["UnsignedTransferTransaction"] | components["schemas"]["UnsignedReissueTransaction"] | components["schemas"]["UnsignedBurnTransaction"] | components["schemas"]["UnsignedExchangeTransaction"] | components["schemas"]["UnsignedLeaseTransaction"] | components["schemas"]["UnsignedLeaseCancelTransaction"] | components["schemas"]["UnsignedCreateAliasTransaction"] | components["schemas"]["UnsignedMassTransferTransaction"] | components["schemas"]["UnsignedDataTransaction"] | components["schemas"]["UnsignedSetScriptTransaction"] | components["schemas"]["UnsignedSponsorFeeTransaction"] | components["schemas"]["UnsignedSetAssetScriptTransaction"] | components["schemas"]["UnsignedInvokeScriptTransaction"] | components["schemas"]["UnsignedUpdateAssetInfoTransaction"] | components["schemas"]["UnsignedCommitToGenerationTransaction"];
    UnsignedIssueTransaction: { type: 3; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; name: string; description: string; quantity: components["schemas"]["Int64"]; decimals: number; reissuable: boolean; script?: components["schemas"]["Script"] | null };
    UnsignedTransferTransaction: { type: 4; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; recipient: components["schemas"]["Recipient"]; assetId?: components["schemas"]["AssetId"] | null; amount: components["schemas"]["Int64"]; attachment?: components["schemas"]["Base58"] };
    UnsignedReissueTransaction: { type: 5; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; assetId: components["schemas"]["AssetId"]; quantity: components["schemas"]["Int64"]; reissuable: boolean };
    UnsignedBurnTransaction: { type: 6; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; assetId: components["schemas"]["AssetId"]; amount: components["schemas"]["Int64"] };
    UnsignedExchangeTransaction: { type: 7; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; amount: components["schemas"]["Int64"]; price: components["schemas"]["Int64"]; buyMatcherFee: components["schemas"]["Int64"]; sellMatcherFee: components["schemas"]["Int64"]; order1: components["schemas"]["SignedOrder"]; order2: components["schemas"]["SignedOrder"] };
    UnsignedLeaseTransaction: { type: 8; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; amount: components["schemas"]["Int64"]; recipient: components["schemas"]["Recipient"] };
    UnsignedLeaseCancelTransaction: { type: 9; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; leaseId: components["schemas"]["Id"] };
    UnsignedCreateAliasTransaction: { type: 10; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; alias: string };
    UnsignedMassTransferTransaction: { type: 11; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; assetId?: components["schemas"]["AssetId"] | null; attachment?: components["schemas"]["Base58"]; transfers: ({ recipient: components["schemas"]["Recipient"]; amount: components["schemas"]["Int64"] })[] };
    UnsignedDataTransaction: { type: 12; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; data: (components["schemas"]["DataEntryChange"])[] };
    UnsignedSetScriptTransaction: { type: 13; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; script?: components["schemas"]["Script"] | null };
    UnsignedSponsorFeeTransaction: { type: 14; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; assetId: components["schemas"]["AssetId"]; minSponsoredAssetFee: components["schemas"]["Int64"] | null };
    UnsignedSetAssetScriptTransaction: { type: 15; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; assetId: components["schemas"]["AssetId"]; script: components["schemas"]["Script"] | null };
    UnsignedInvokeScriptTransaction: { type: 16; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; dApp: components["schemas"]["Recipient"]; payment?: ({ amount: components["schemas"]["Int64"]; assetId: components["schemas"]["AssetId"] | null })[]; call?: components["schemas"]["FunctionCall"] };
    UnsignedUpdateAssetInfoTransaction: { type: 17; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; assetId: components["schemas"]["AssetId"]; name: string; description: string };
    UnsignedCommitToGenerationTransaction: { type: 19; version?: number | string; chainId?: number; sender?: components["schemas"]["Address"]; senderPublicKey?: components["schemas"]["PublicKey"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; feeAsset?: components["schemas"]["AssetId"] | null; timestamp?: components["schemas"]["Timestamp"]; endorserPublicKey?: components["schemas"]["Base58"]; generationPeriodStart?: number; commitmentSignature?: components["schemas"]["Base58"] };
    Transaction: components["schemas"]["GenesisTransaction"] | components["schemas"]["PaymentTransaction"] | components["schemas"]["IssueTransaction"] | components["schemas"]["TransferTransaction"] | components["schemas"]["ReissueTransaction"] | components["schemas"]["BurnTransaction"] | components["schemas"]["ExchangeTransaction"] | components["schemas"]["LeaseTransaction"] | components["schemas"]["LeaseCancelTransaction"] | components["schemas"]["CreateAliasTransaction"] | components["schemas"]["MassTransferTransaction"] | components["schemas"]["DataTransaction"] | components["schemas"]["SetScriptTransaction"] | components["schemas"]["SponsorFeeTransaction"] | components["schemas"]["SetAssetScriptTransaction"] | components["schemas"]["InvokeScriptTransaction"] | components["schemas"]["UpdateAssetInfoTransaction"] | components["schemas"]["EthereumTransaction"] | components["schemas"]["CommitToGenerationTransaction"];
    LeaseCancelTransaction: { type: 9; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; signature?: components["schemas"]["Base58"]; version: number; chainId?: number; leaseId: components["schemas"]["Id"] };
    Nft: { assetId: components["schemas"]["AssetId"]; issueHeight: number; issueTimestamp: components["schemas"]["Timestamp"] | null; issuer: components["schemas"]["Address"]; issuerPublicKey: components["schemas"]["PublicKey"]; name: string; description: string; decimals: number; reissuable: boolean; quantity: components["schemas"]["Int64"]; scripted: boolean; originTransactionId: components["schemas"]["Id"]; sequenceInBlock: number; scriptDetails?: { scriptComplexity: components["schemas"]["Int64"]; script: components["schemas"]["Script"]; scriptText: string }; minSponsoredAssetFee?: components["schemas"]["Int64"] };
    DistributionPage: { hasNext: boolean; lastItem: components["schemas"]["Address"] | null; items: Record<string, components["schemas"]["Int64"]> };
    AssetDetails: { assetId: components["schemas"]["AssetId"]; issueHeight: number; issueTimestamp: components["schemas"]["Timestamp"] | null; issuer: components["schemas"]["Address"]; issuerPublicKey: components["schemas"]["PublicKey"]; name: string; description: string; decimals: number; reissuable: boolean; quantity: components["schemas"]["Int64"]; scripted: boolean; originTransactionId: components["schemas"]["Id"]; sequenceInBlock: number; scriptDetails?: { scriptComplexity: components["schemas"]["Int64"]; script: components["schemas"]["Script"]; scriptText: string }; minSponsoredAssetFee: components["schemas"]["Int64"] | null };
    AssetBalances: { address: components["schemas"]["Address"]; balances: (components["schemas"]["Holding"] | { assetId: string })[] };
    Holding: { assetId: components["schemas"]["AssetId"]; reissuable: boolean; minSponsoredAssetFee?: components["schemas"]["Int64"]; sponsorBalance?: components["schemas"]["Int64"]; quantity: components["schemas"]["Int64"]; issueTransaction?: components["schemas"]["IssueTransactionInBalance"]; balance: components["schemas"]["Int64"]; sequenceInBlock: number };
    IssueTransactionInBalance: { type: 3; id: components["schemas"]["Id"]; fee: components["schemas"]["Int64"]; timestamp: components["schemas"]["Timestamp"]; feeAssetId: components["schemas"]["AssetId"] | null; sender: components["schemas"]["Address"]; senderPublicKey: components["schemas"]["PublicKey"]; proofs: (components["schemas"]["Base58"])[]; signature?: components["schemas"]["Base58"]; version: number; chainId: number | null; name: string; description: string; quantity: components["schemas"]["Int64"]; decimals: number; reissuable: boolean; script?: components["schemas"]["Script"] | null; assetId: components["schemas"]["AssetId"] };
    AssetBalance: { address: components["schemas"]["Address"]; assetId: components["schemas"]["AssetId"]; balance: components["schemas"]["Int64"] };
    Lease: { id: components["schemas"]["Id"]; originTransactionId: components["schemas"]["Id"]; sender: components["schemas"]["Address"]; recipient: components["schemas"]["Address"]; amount: components["schemas"]["Int64"]; height: number; cancelHeight: number | null; cancelTransactionId: components["schemas"]["Id"] | null; status: "active" | "canceled" | "expired" };
    ActivationStatus: { height: number; votingInterval: number; votingThreshold: number; nextCheck: number; features: ({ id: number; description: string; blockchainStatus: "VOTING" | "APPROVED" | "ACTIVATED"; nodeStatus: "NOT_IMPLEMENTED" | "IMPLEMENTED" | "VOTED"; activationHeight?: number; supportingBlocks?: number })[] };
    Rewards: { height: number; totalWavesAmount: components["schemas"]["Int64"]; currentReward: components["schemas"]["Int64"]; minIncrement: components["schemas"]["Int64"]; term: number; nextCheck: number; votingIntervalStart: number; votingInterval: number; votingThreshold: number; votes: { increase: number; decrease: number }; daoAddress: components["schemas"]["Address"] | null; xtnBuybackAddress: components["schemas"]["Address"] | null; tokenBuybackAddress: components["schemas"]["Address"] | null };
    JsonRpcRequest: { jsonrpc?: string; id?: components["schemas"]["Int64"] | string | null; method: "eth_chainId" | "net_version" | "eth_blockNumber" | "eth_getTransactionCount" | "eth_getBlockByNumber" | "eth_getBlockByHash" | "eth_getBalance" | "eth_sendRawTransaction" | "eth_getTransactionReceipt" | "eth_getTransactionByHash" | "eth_call" | "eth_estimateGas" | "eth_gasPrice" | "eth_getCode"; params?: (string | boolean | { to?: components["schemas"]["Hex"]; value?: components["schemas"]["Hex"]; data?: components["schemas"]["Hex"] })[] };
    /** Bytes or a number in hexadecimal, after `0x`. */
    Hex: string;
    JsonRpcAnswer: { id: components["schemas"]["Int64"] | string | null; jsonrpc: "2.0"; result: components["schemas"]["Hex"] | null | { number: components["schemas"]["Hex"] | null } | { baseFeePerGas: components["schemas"]["Hex"] } | components["schemas"]["EthereumReceipt"] | components["schemas"]["EthereumSentTransaction"] | { error: number; message: string } } | Record<string, never>;
    EthereumReceipt: { transactionHash: components["schemas"]["Hex"]; transactionIndex: components["schemas"]["Hex"]; blockHash: components["schemas"]["Hex"]; blockNumber: components["schemas"]["Hex"]; from: components["schemas"]["Hex"]; to: components["schemas"]["Hex"]; cumulativeGasUsed: components["schemas"]["Hex"]; gasUsed: components["schemas"]["Hex"]; contractAddress: null; logs: []; logsBloom: components["schemas"]["Hex"]; status: "0x1" | "0x0" };
    EthereumSentTransaction: { hash: components["schemas"]["Hex"]; nonce: components["schemas"]["Hex"]; blockHash: components["schemas"]["Hex"]; blockNumber: components["schemas"]["Hex"]; transactionIndex: components["schemas"]["Hex"]; from: components["schemas"]["Hex"]; to: components["schemas"]["Hex"]; value: components["schemas"]["Hex"]; gasPrice: components["schemas"]["Hex"]; gas: components["schemas"]["Hex"]; input: components["schemas"]["Hex"]; v: components["schemas"]["Hex"]; standardV: components["schemas"]["Hex"]; r: components["schemas"]["Hex"]; raw: components["schemas"]["Hex"]; publickey: components["schemas"]["Hex"] };
    ContractAbi: ({ name: string; type: string; constant: boolean; payable: boolean; stateMutability: string; inputs: ({ name: string; type: string; components?: ({ name: string; type: string })[] })[]; outputs: [] })[];
    CompiledScript: { script: components["schemas"]["Script"]; complexity: components["schemas"]["Int64"]; verifierComplexity: components["schemas"]["Int64"]; callableComplexities: Record<string, components["schemas"]["Int64"]>; extraFee: components["schemas"]["Int64"] };
    CompiledWithImports: { script: components["schemas"]["Script"]; complexity: components["schemas"]["Int64"]; extraFee: components["schemas"]["Int64"] };
    DecompiledScript: { STDLIB_VERSION: number; SCRIPT_TYPE?: string; CONTENT_TYPE: string; script: string };
    ScriptEstimate: { script: components["schemas"]["Script"]; scriptText: string; complexity: components["schemas"]["Int64"]; verifierComplexity: components["schemas"]["Int64"]; callableComplexities: Record<string, components["schemas"]["Int64"]>; extraFee: components["schemas"]["Int64"] };
    EvaluationRequest: { expr: string; state?: { accounts: Record<string, { assetBalances?: Record<string, components["schemas"]["Int64"]>; regularBalance?: components["schemas"]["Int64"] }> } } | { call?: components["schemas"]["FunctionCall"]; id?: components["schemas"]["Base58"]; fee?: components["schemas"]["Int64"]; feeAssetId?: components["schemas"]["AssetId"] | null; sender?: components["schemas"]["Address"] | null; senderPublicKey?: components["schemas"]["PublicKey"]; payment?: ({ amount: components["schemas"]["Int64"]; assetId: components["schemas"]["AssetId"] | null })[]; state?: { accounts: Record<string, { assetBalances?: Record<string, components["schemas"]["Int64"]>; regularBalance?: components["schemas"]["Int64"] }> } };
    Evaluation: { vars?: (components["schemas"]["RideVariable"])[]; result: components["schemas"]["RideValue"]; complexity: components["schemas"]["Int64"]; stateChanges: components["schemas"]["PlannedChanges"]; address: components["schemas"]["Address"] } | { error: number; message: string; address: components["schemas"]["Address"] };
    PlannedChanges: { data: (components["schemas"]["DataEntryChange"])[]; transfers: ({ address: components["schemas"]["Address"]; asset: components["schemas"]["AssetId"] | null; amount: components["schemas"]["Int64"] })[]; issues: ({ assetId: components["schemas"]["AssetId"]; name: string; description: string; quantity: components["schemas"]["Int64"]; decimals: number; isReissuable: boolean; compiledScript?: null; nonce: components["schemas"]["Int64"] })[]; reissues: ({ assetId: components["schemas"]["AssetId"]; isReissuable: boolean; quantity: components["schemas"]["Int64"] })[]; burns: ({ assetId: components["schemas"]["AssetId"]; quantity: components["schemas"]["Int64"] })[]; sponsorFees: ({ assetId: components["schemas"]["AssetId"]; minSponsoredAssetFee?: components["schemas"]["Int64"] })[]; leases: ({ recipient: string; amount: components["schemas"]["Int64"]; nonce: components["schemas"]["Int64"]; id: components["schemas"]["Id"] })[]; leaseCancels: ({ id: components["schemas"]["Id"] })[]; invokes: ({ dApp: components["schemas"]["Address"]; call: { function: string; args: (components["schemas"]["RideValue"])[] }; payment: ({ amount: components["schemas"]["Int64"]; assetId: components["schemas"]["AssetId"] | null })[]; payments: ({ asset: components["schemas"]["AssetId"] | null; amount: components["schemas"]["Int64"] })[]; stateChanges: components["schemas"]["PlannedChanges"] })[]; error?: { code: number; text: string } };
    Validation: { valid: false; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; error: string; transaction: Record<string, unknown> } | components["schemas"]["TransactionValid"];
    TraceStep: { type: "verifier"; id: components["schemas"]["Address"]; result: "success" | "failure"; error: unknown; vars?: (components["schemas"]["RideVariable"])[] } | { type: "asset"; context: "unknown" | "orderAmount" | "orderPrice" | "matcherFee" | "payment" | "reissue" | "burn" | "sponsor" | "transfer" | "updateInfo"; id: components["schemas"]["AssetId"]; result: "success" | "failure"; error: unknown; vars?: (components["schemas"]["RideVariable"])[] } | components["schemas"]["TraceCall"];
    TraceCall: { type: "dApp"; id: components["schemas"]["Address"]; function: string; args: (string)[]; invocations: (components["schemas"]["TraceCall"])[]; result: "success" | "failure" | components["schemas"]["StateChanges"]; error: unknown; vars?: (components["schemas"]["RideVariable"])[] };
    TransactionValid: components["schemas"]["GenesisTransactionValid"] | components["schemas"]["PaymentTransactionValid"] | components["schemas"]["IssueTransactionValid"] | components["schemas"]["TransferTransactionValid"] | components["schemas"]["ReissueTransactionValid"] | components["schemas"]["BurnTransactionValid"] | components["schemas"]["ExchangeTransactionValid"] | components["schemas"]["LeaseTransactionValid"] | components["schemas"]["LeaseCancelTransactionValid"] | components["schemas"]["CreateAliasTransactionValid"] | components["schemas"]["MassTransferTransactionValid"] | components["schemas"]["DataTransactionValid"] | components["schemas"]["SetScriptTransactionValid"] | components["schemas"]["SponsorFeeTransactionValid"] | components["schemas"]["SetAssetScriptTransactionValid"] | components["schemas"]["InvokeScriptTransactionValid"] | components["schemas"]["UpdateAssetInfoTransactionValid"] | components["schemas"]["EthereumTransactionValid"] | components["schemas"]["CommitToGenerationTransactionValid"];
    GenesisTransactionValid: components["schemas"]["GenesisTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    PaymentTransactionValid: components["schemas"]["PaymentTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    IssueTransactionValid: components["schemas"]["IssueTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    TransferTransactionValid: components["schemas"]["TransferTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    ReissueTransactionValid: components["schemas"]["ReissueTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    BurnTransactionValid: components["schemas"]["BurnTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    ExchangeTransactionValid: components["schemas"]["ExchangeTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    LeaseTransactionValid: components["schemas"]["LeaseTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"]; status: "active" | "canceled" };
    LeaseCancelTransactionValid: components["schemas"]["LeaseCancelTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"]; lease: components["schemas"]["LeaseReference"] };
    CreateAliasTransactionValid: components["schemas"]["CreateAliasTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    MassTransferTransactionValid: components["schemas"]["MassTransferTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    DataTransactionValid: components["schemas"]["DataTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    SetScriptTransactionValid: components["schemas"]["SetScriptTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    SponsorFeeTransactionValid: components["schemas"]["SponsorFeeTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    SetAssetScriptTransactionValid: components["schemas"]["SetAssetScriptTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    InvokeScriptTransactionValid: components["schemas"]["InvokeScriptTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"]; stateChanges: components["schemas"]["StateChanges"] | null };
    UpdateAssetInfoTransactionValid: components["schemas"]["UpdateAssetInfoTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    EthereumTransactionValid: components["schemas"]["EthereumTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    CommitToGenerationTransactionValid: components["schemas"]["CommitToGenerationTransaction"] & { valid: true; validationTime: components["schemas"]["Int64"]; trace: (components["schemas"]["TraceStep"])[]; height: number; applicationStatus?: "succeeded" | "script_execution_failed" | "elided"; spentComplexity: components["schemas"]["Int64"] };
    NodeActivity: { stateHeight: number; extensionLoaderState: string; historyReplierCacheSizes: { blocks: number; microBlocks: number }; microBlockSynchronizerCacheSizes: { microBlockOwners: number; nextInvs: number; awaiting: number; successfullyReceived: number }; scoreObserverStats: { localScore: number; currentBestChannel: string; scoresCacheSize: number }; minerState: string };
    /** Settings by the names of the reference's configuration files. */
    Configuration: { waves: Record<string, unknown> };
    BalanceAtHeight: { height: number; balance: components["schemas"]["Int64"] };
    StateHash: { stateHash: string; wavesBalanceHash: string; assetBalanceHash: string; dataEntryHash: string; accountScriptHash: string; assetScriptHash: string; leaseBalanceHash: string; leaseStatusHash: string; sponsorshipHash: string; aliasHash: string; nextCommittedGeneratorsHash?: string; committedGeneratorBalancesHash?: string; snapshotHash: components["schemas"]["Base58"]; blockId: components["schemas"]["Id"]; baseTarget: number; height: number; version: string };
    /** An error of the catalogue. Some have further members. */
    ApiError: { error: number; message: unknown };
  };
  responses: {
    NoRoute: { content: { "text/plain": "The requested resource could not be found but may be available again in the future." } };
    NoTimelyAnswer: { content: { "application/json": components["schemas"]["ApiError"] } };
  };
}
