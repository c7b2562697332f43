import { type Address, networkOf, widthOf } from '../address.ts'
import {
  integerLiteral,
  type Parameter,
  plain,
  type RuleFunction,
  stringField
} from './function.ts'

const address: Parameter = { types: ['Ip'], written: 'never' }

/** `cidr(address, v4Bits, v6Bits)`: the address of the network that an address is in. */
export const cidr: RuleFunction = {
  parameters: [address, integerLiteral(1, 32), integerLiteral(1, 128)],
  returns: 'Ip',
  prepare: plain((from: Address, v4: number, v6: number) =>
    networkOf(from, from.family === 4 ? v4 : v6)
  )
}

/** `cidr6(address, bits)`: the same for IPv6; an IPv4 address stays as it is. */
export const cidr6: RuleFunction = {
  parameters: [address, integerLiteral(1, 128)],
  returns: 'Ip',
  prepare: plain((from: Address, bits: number) =>
    networkOf(from, from.family === 4 ? widthOf(4) : bits)
  )
}

const furthestBit = 2_040
const longestSlice = 32

/** `bit_slice(source, start, end)`: the number that some bits of a string make, at most 32. */
export const bitSlice: RuleFunction = {
  parameters: [stringField, integerLiteral(0, furthestBit), integerLiteral(0, furthestBit)],
  returns: 'Int',
  prepare: plain((source: string, start: number, end: number) => {
    const length = end - start
    if (length < 1 || length > longestSlice || end > 8 * source.length) return undefined
    const first = Math.floor(start / 8)
    const last = Math.ceil(end / 8)
    let bits = 0n
    for (const byte of source.slice(first, last)) bits = (bits << 8n) | BigInt(byte.charCodeAt(0))
    return Number(BigInt.asUintN(length, bits >> BigInt(8 * last - end)))
  })
}
