#!/bin/sh
# Container entry point: runs a node with these flags, with a settings file, or another command.
#   WAVES_NETWORK       a network by its name, instead of the file /etc/waves/waves.conf
#   WAVES_WALLET_SEED   seed of the node's wallet, in base58; WALLET_SEED is the same
#   API_KEY_HASH        base58 of the secure hash of the API key, instead of that of the settings
set -eu

settings=/etc/waves/waves.conf

case "${1:-}" in
  "" | -*) ;;
  *.conf | *.json)
    settings=$1
    WAVES_NETWORK=
    shift
    ;;
  *) exec "$@" ;;
esac

if [ -n "${WAVES_WALLET_SEED:-}" ]; then
  export WALLET_SEED="${WALLET_SEED:-$WAVES_WALLET_SEED}"
fi

# Mining mode of the reference's image, unless --dev is among the flags. The API key is known: publishing the port
# decides who reaches the container.
exec node /opt/waves-edge-node/node_modules/waves-edge-node/dist/waves-edge-node.js \
  --host 0.0.0.0 --known-key --no-dev --network "${WAVES_NETWORK:-$settings}" "$@"
