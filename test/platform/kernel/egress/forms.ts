import { isIP } from 'node:net'
import type { Resolve } from '../../../../src/platform/kernel/egress/egress.ts'

/** Forms of one address of loopback, as whoever attacks writes them into a URL. */
export const ofLoopback = [
  ...['127.0.0.1', '2130706433', '0x7f000001', '0x7F.0.0.1', '0177.0.0.1', '017700000001'],
  ...['127.1', '127.0.1', '0177.1', '0x7f.1', '127.0.0.1.', '127.00000.0x0.01'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'app.localhost', 'here.test', 'HERE.test.'],
  ...['１２７.0.0.1', '127。0。0。1', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]']
] as const

/** Other addresses that are not of the open Internet. */
export const others = [
  ...['0', '0.0.0.0', '127.255.255.254', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', 'six.test'],
  ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '192.168.257', '100.64.0.1', 'inner.test'],
  ...['169.254.169.254', '2852039166', '[fe80::1]', '[fd00::1]', '[fec0::1]', 'metadata.test'],
  ...['[::ffff:10.0.0.1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]'],
  ...['[2002:7f00:1::]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', 'mapped.test', 'nat.test'],
  ...['224.0.0.1', '[ff02::1]', '255.255.255.255', '240.0.0.1', '192.0.2.1', '198.18.0.1'],
  ...['[2001:db8::1]', 'several.test']
] as const

/** What is found under each name; under one that is not here, nothing. */
const names: Record<string, string[]> = {
  localhost: ['127.0.0.1'],
  'app.localhost': ['127.0.0.1'],
  'here.test': ['127.0.0.1'],
  'six.test': ['::1'],
  'inner.test': ['10.1.2.3'],
  'metadata.test': ['169.254.169.254'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat.test': ['64:ff9b::a00:1'],
  'several.test': ['10.0.0.1', 'fd00::2', '127.0.0.1']
}

/** An address as `inet_aton` reads it: up to four numbers, each in one of three bases. */
function numeric(text: string): string[] {
  const parts = text.replace(/\.$/, '').split('.')
  if (parts.length > 4 || !parts.every((part) => /^(0x[\da-f]*|\d+)$/i.test(part))) return []
  const numbers = parts.map((part) => Number(/^0\d+$/.test(part) ? `0o${part.slice(1)}` : part))
  const last = numbers.pop()!
  const value = numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last)
  return [[24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join('.')]
}

/** Finds what a system would, and asks nobody; with names of its own that are asked first. */
export function resolver(own: Record<string, () => string[]> = {}) {
  const asked: string[] = []
  const resolve: Resolve = (name, _options, then) => {
    asked.push(name)
    const plain = name.replace(/\.$/, '').toLowerCase()
    const found = own[plain]?.() ?? names[plain] ?? numeric(plain)
    const addresses = found.map((address) => ({ address, family: isIP(address) }))
    const unknown = Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' })
    setImmediate(() => then(addresses.length === 0 ? unknown : null, addresses))
  }
  return { asked, resolve }
}
