# Plimsoll as a small image, run by a user without rights:
#
#   docker build -t plimsoll .
#   docker run --rm --network host -v "$PWD:/project" plimsoll probe http://127.0.0.1:8080/
#
# What it writes goes to /project, which that user (1000) has to be able to write.
FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund
RUN npm pack --silent --pack-destination /tmp && mv /tmp/plimsoll-*.tgz /tmp/plimsoll.tgz

FROM node:24-slim
ENV NODE_ENV=production
COPY --from=build /tmp/plimsoll.tgz /tmp/plimsoll.tgz
RUN npm install --global --omit=dev --no-audit --no-fund /tmp/plimsoll.tgz \
  && rm -rf /tmp/plimsoll.tgz /root/.npm
USER node
WORKDIR /project
ENTRYPOINT ["plimsoll"]
CMD ["--help"]
