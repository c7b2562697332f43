/** An IP address: its family and its bits as one unsigned number, 32 or 128 of them. */
export type Address = { readonly family: 4 | 6; readonly bits: bigint }

/** The addresses from `first` to `last`, both included and of one family. */
export type AddressRange = { readonly first: Address; readonly last: Address }

/** How many bits an address of a family has. */
export function widthOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128
}

/** The address a text spells, or undefined: dotted decimals without leading zeros, or IPv6. */
export function parseAddress(text: string): Address | undefined {
  const family = text.includes(':') ? 6 : 4
  const bits = family === 4 ? parseV4(text) : parseV6(text)
  return bits === undefined ? undefined : { family, bits }
}

function parseV4(text: string): bigint | undefined {
  const octets = text.split('.')
  if (octets.length !== 4) return undefined
  let bits = 0n
  for (const octet of octets) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(octet) || Number(octet) > 255) return undefined
    bits = (bits << 8n) | BigInt(octet)
  }
  return bits
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map(groups)
  if (!head || (halves.length === 2 && !tail)) return undefined
  // An embedded IPv4 address can only be the end of the whole address.
  if (tail && halves[0]!.includes('.')) return undefined
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (tail ? missing < 1 : missing !== 0) return undefined
  const all = [...head, ...Array<bigint>(tail ? missing : 0).fill(0n), ...(tail ?? [])]
  return all.reduce((bits, group) => (bits << 16n) | group, 0n)
}

/** The 16-bit groups of one side of a `::`, or undefined when one of them is not a group. */
function groups(side: string): bigint[] | undefined {
  if (side === '') return []
  const found: bigint[] = []
  const parts = side.split(':')
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      found.push(BigInt(`0x${part}`))
      continue
    }
    const embedded = index === parts.length - 1 ? parseV4(part) : undefined
    if (embedded === undefined) return undefined
    found.push(embedded >> 16n, embedded & 0xffffn)
  }
  return found
}

/** An address as text, IPv6 in its recommended form (RFC 5952). */
export function formatAddress({ family, bits }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.')
  if (bits >> 32n === 0xffffn) {
    return `::ffff:${formatAddress({ family: 4, bits: bits & 0xffff_ffffn })}`
  }
  const shifts = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n]
  const joined = shifts.map((shift) => ((bits >> shift) & 0xffffn).toString(16)).join(':')
  let zeros: RegExpExecArray | undefined
  for (const run of joined.matchAll(/(?<![^:])0(?::0)+(?![^:])/g)) {
    if (!zeros || run[0].length > zeros[0].length) zeros = run
  }
  if (!zeros) return joined
  const head = joined.slice(0, zeros.index).replace(/:$/, '')
  const tail = joined.slice(zeros.index + zeros[0].length).replace(/^:/, '')
  return `${head}::${tail}`
}

/** The network an address lies in: its first `prefix` bits kept, the others zero. */
export function networkOf({ family, bits }: Address, prefix: number): Address {
  const host = BigInt(widthOf(family) - prefix)
  return { family, bits: (bits >> host) << host }
}

/** The addresses of a network, given any of its addresses and the length of its prefix in bits. */
export function networkRange(address: Address, prefix: number): AddressRange {
  const first = networkOf(address, prefix)
  const size = 1n << BigInt(widthOf(address.family) - prefix)
  return { first, last: { family: address.family, bits: first.bits + size - 1n } }
}
