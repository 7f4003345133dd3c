# A private chain in a container, in the place of wavesplatform/waves-private-node: docs/image.md.
#
#   docker build --tag waves-edge-node .
#   docker run --rm --publish 6869:6869 waves-edge-node

FROM node:24-slim AS build
WORKDIR /project
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm pack --silent --pack-destination /packed \
  && npm install --prefix /installed --no-audit --no-fund /packed/waves-edge-node-*.tgz

FROM node:24-slim
COPY --from=build /installed/node_modules /opt/waves-edge-node/node_modules
COPY docker/entrypoint.sh /opt/waves-edge-node/entrypoint.sh
COPY docs/examples/image.conf /etc/waves/waves.conf
RUN mkdir -p /var/lib/waves && chown node:node /var/lib/waves

USER node
# The state is in .waves-edge-node/NETWORK below it.
WORKDIR /var/lib/waves
VOLUME /var/lib/waves
EXPOSE 6869 6860
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --start-interval=1s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:6869/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["sh", "/opt/waves-edge-node/entrypoint.sh"]
