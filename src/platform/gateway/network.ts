/** A test network as the gateway knows it. */
export type Network = {
  chainId: number
  /** When its first block was made, in seconds since the epoch. */
  genesisSeconds: number
  /** From when on it is deprecated, and the name of the network to be used instead. */
  deprecated?: { sinceSeconds: number; successor: string }
}

/**
 * The networks that are there without being configured, by the path segment that selects them
 * (document: rinkeby is deprecated with effect on 2023-01-30, sepolia is supported).
 */
export const networks: { rinkeby: Network; sepolia: Network } = {
  rinkeby: {
    chainId: 4,
    genesisSeconds: 1_492_009_146,
    deprecated: { sinceSeconds: Date.UTC(2023, 0, 30) / 1_000, successor: 'sepolia' }
  },
  sepolia: { chainId: 11_155_111, genesisSeconds: 1_633_267_481 }
}

/** The network a path names, which is its last segment; undefined unless it is `/v1/{network}`. */
export function networkOf(path: string): string | undefined {
  return /^\/v1\/([^/]+)$/.exec(path)?.[1]
}

/** Headers that tell of a network's end (RFC 9745, RFC 5829); none while it is supported. */
export function announcement(network?: Network): Record<string, string> {
  if (!network?.deprecated) return {}
  const { sinceSeconds, successor } = network.deprecated
  return { Deprecation: `@${sinceSeconds}`, Link: `<${successor}>; rel="successor-version"` }
}
