import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** What an address is that is not of the open Internet: `a loopback address`. */
type Kind = string

/** Which networks are what; of IPv6 all that is not `open` is something else as well. */
const closed: readonly [kind: Kind, networks: readonly string[]][] = [
  ['a loopback address', ['127.0.0.0/8', '::1/128']],
  ['an address that names no machine', ['0.0.0.0/8', '::/128', '255.255.255.255/32']],
  ['a link-local address', ['169.254.0.0/16', 'fe80::/10']],
  [
    'a private address',
    ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10']
  ],
  ['a multicast address', ['224.0.0.0/4', 'ff00::/8']],
  ['an IPv4 address in another form', ['::/96', '64:ff9b::/96', '2002::/16']],
  [
    'a reserved address',
    [
      ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24'],
      ...['203.0.113.0/24', '240.0.0.0/4', '2001::/23', '2001:db8::/32', '3fff::/20']
    ]
  ]
]

const open = networks('2000::/3')
const kinds = closed.map(([kind, all]) => ({ kind, holds: networks(...all) }))

/** A test for addresses in any of these networks; an IPv4 address is in its own in every form. */
export function networks(...all: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of all) {
    const [address, bits] = network.split('/')
    const family = familyOf(address!)
    if (bits === undefined) list.addAddress(address!, family)
    else list.addSubnet(address!, Number(bits), family)
  }
  return (address) => list.check(withoutScope(address), familyOf(address))
}

/** What an address is instead of one of the open Internet; undefined when it is one. */
export function kindOf(address: string): Kind | undefined {
  if (isIP(withoutScope(address)) === 0) return 'no address'
  const found = kinds.find(({ holds }) => holds(address))
  if (found) return found.kind
  return familyOf(address) === 'ipv4' || open(address) ? undefined : 'a reserved address'
}

/** Whether an address leads to this machine, by loopback or by a network it is on. */
export function isThisMachine(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const addresses = own.map((one) => withoutScope(one.address))
  return networks('127.0.0.0/8', '0.0.0.0/8', '::1', '::', ...addresses)(address)
}

/** The same without the brackets of a URL and the dot that ends a whole name, in lower case. */
export function plainHost(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}

function withoutScope(address: string): string {
  return address.replace(/%.*$/, '')
}
