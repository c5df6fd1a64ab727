# The image of docs/operating.md#containers:  docker build -t patchbay .
FROM node:26.10.0-slim AS build
WORKDIR /opt/patchbay
COPY package.json package-lock.json .npmrc ./
COPY sdk/generators/package.json sdk/generators/
RUN npm ci
COPY . .
RUN npm run build:server && npm run build:web && npm prune --omit=dev

FROM node:26.10.0-slim
ENV HOST=0.0.0.0 DATA_DIR=/var/lib/patchbay
WORKDIR /opt/patchbay
COPY --from=build /opt/patchbay/package.json /opt/patchbay/README.md /opt/patchbay/LICENSE ./
COPY --from=build /opt/patchbay/node_modules node_modules
COPY --from=build /opt/patchbay/dist dist
COPY --from=build /opt/patchbay/docs docs
RUN install -d -m 0700 -o node -g node /var/lib/patchbay
USER node
VOLUME /var/lib/patchbay
EXPOSE 8080
# The certificate of TLS_CERT is one for PUBLIC_URL.
HEALTHCHECK --start-period=30s CMD ["node", "-e", "const { PORT = 8080, TLS_CERT } = process.env; process.env.NODE_TLS_REJECT_UNAUTHORIZED = 0; fetch(`http${TLS_CERT ? 's' : ''}://127.0.0.1:${PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "dist/server/main.js"]
CMD ["serve"]
