/** Files of the Go node for a short network: settings with the whole genesis block, and a wallet file. */
import { createCipheriv } from "node:crypto";
import { argon2id } from "@noble/hashes/argon2.js";
import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import type { ShortNetwork } from "./short-network.ts";

/** Bytes of a genesis transaction with its length prefix. */
const genesisTransactionBytes = 4 + 43;
const customType = 3;

/** @source gowaves: pkg/settings/blockchain_settings.go */
export function goSettings({ settings: { blockchain } }: ShortNetwork): JsonObject {
  const { functionality, rewards, genesis, chainId } = blockchain;
  const beneficiaries = [functionality.daoAddress, functionality.xtnBuybackAddress].flatMap((address) =>
    address === undefined ? [] : [addressText(address)],
  );
  return {
    type: customType,
    features_voting_period: functionality.featureCheckBlocksPeriod,
    votes_for_feature_activation: functionality.blocksForFeatureActivation,
    preactivated_features: [...functionality.preActivatedFeatures.keys()].toSorted((left, right) => left - right),
    double_features_periods_after_height: functionality.doubleFeaturesPeriodsAfterHeight,
    sponsorship_single_activation_period: true,
    max_tx_time_back_offset: functionality.maxTransactionTimeBackOffsetMs,
    max_tx_time_forward_offset: functionality.maxTransactionTimeForwardOffsetMs,
    address_scheme_character: chainId,
    average_block_delay_seconds: genesis.averageBlockDelayMs / 1_000,
    delay_delta: functionality.delayDelta,
    min_block_time: functionality.minBlockTimeMs,
    max_base_target: 1_000_000_000,
    block_reward_term: rewards.term,
    block_reward_term_after_20: rewards.termAfterCappedRewardFeature,
    initial_block_reward: rewards.initial,
    block_reward_increment: rewards.minIncrement,
    block_reward_voting_period: rewards.votingInterval,
    reward_addresses: beneficiaries,
    reward_addresses_after_21: beneficiaries.slice(0, 1),
    min_xtn_buy_back_period: functionality.xtnBuybackRewardPeriod,
    block_reward_boost_period: functionality.blockRewardBoostPeriod,
    min_update_asset_info_interval: functionality.minAssetInfoUpdateInterval,
    light_node_block_fields_absence_interval: functionality.lightNodeBlockFieldsAbsenceInterval,
    generation_period: functionality.generationPeriodLength,
    max_endorsements: functionality.maxValidEndorsements,
    genesis: genesisJson(blockchain),
  };
}

function genesisJson(blockchain: ShortNetwork["settings"]["blockchain"]): JsonObject {
  const { header, signature, transactions } = genesisBlock(blockchain);
  return {
    version: header.version,
    timestamp: header.timestamp,
    reference: encodeBase58(header.reference),
    "nxt-consensus": {
      "base-target": header.baseTarget,
      "generation-signature": encodeBase58(header.generationSignature),
    },
    transactionBlockLength: 1 + transactions.length * genesisTransactionBytes,
    transactionCount: transactions.length,
    generatorPublicKey: encodeBase58(header.generator),
    signature: encodeBase58(signature),
    id: encodeBase58(signature),
    transactions: transactions.map((transaction) => transactionJson(transaction)),
  };
}

/** Salt of every wallet file. */
const walletSalt = "E84265D411C08F99E092AE237F4EC250B2F20B2EAB7CFB2FCB0857880983DF44";
const walletVersion = Uint8Array.of(0, 0, 0, 1);

/**
 * Wallet file with one account: JSON encrypted with AES in cipher feedback mode, with a key derived from the password.
 * @source gowaves: pkg/wallet/wallet.go, crypt.go
 */
export function goWallet(seed: Uint8Array, password: string): Uint8Array {
  const key = argon2id(utf8Bytes(password), utf8Bytes(walletSalt), { t: 4, m: 64 * 1_024, p: 4, dkLen: 32 });
  // A fixed start vector is fine: the seed is public.
  const start = new Uint8Array(16);
  const cipher = createCipheriv("aes-256-cfb", key, start);
  const content = utf8Bytes(JSON.stringify({ seeds: [Buffer.from(seed).toString("base64")] }));
  return concatBytes(walletVersion, start, cipher.update(content), cipher.final());
}
