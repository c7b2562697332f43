import { expect, test } from 'vitest'
import { parseAllowance } from '../../../../src/platform/kernel/egress/allowance.ts'

/** Whether `text` allows a connection to an address and port, asked for by name. */
const allows = (text: string, address: string, port: number, name = address) =>
  parseAllowance(text)({ address, name, port })

test.each<[text: string, address: string, port: number, name?: string]>([
  ['127.0.0.1:9000', '127.0.0.1', 9_000],
  ['127.0.0.1:9000', '127.0.0.1', 9_000, 'logs.test'],
  ['127.0.0.1:9000', '::ffff:127.0.0.1', 9_000],
  ['127.0.0.1:*', '127.0.0.1', 1],
  ['127.0.0.1:8000-8010', '127.0.0.1', 8_000],
  ['127.0.0.1:8000-8010', '127.0.0.1', 8_010],
  ['10.1.0.0/16:443', '10.1.255.255', 443],
  ['[::1]:80', '::1', 80],
  ['[fd00::/8]:80', 'fd12::3', 80],
  ['logs.internal:80', '10.0.0.1', 80, 'logs.internal'],
  ['LOGS.internal.:80', '10.0.0.1', 80, 'logs.internal']
])('%s allows %s, port %d', (text, address, port, name) => {
  expect(allows(text, address, port, name)).toBe(true)
})

test.each<[text: string, address: string, port: number, name?: string]>([
  ['127.0.0.1:9000', '127.0.0.1', 9_001],
  ['127.0.0.1:9000', '127.0.0.2', 9_000],
  ['127.0.0.1:8000-8010', '127.0.0.1', 8_011],
  ['127.0.0.1:8000-8010', '127.0.0.1', 7_999],
  ['10.1.0.0/16:443', '10.2.0.0', 443],
  ['[::1]:80', '127.0.0.1', 80],
  ['logs.internal:80', '10.0.0.1', 80, 'x.logs.internal'],
  ['logs.internal:80', '10.0.0.1', 80]
])('%s does not allow %s, port %d', (text, address, port, name) => {
  expect(allows(text, address, port, name)).toBe(false)
})

test.each([
  ...['', '127.0.0.1', '127.0.0.1:', ':80', '*:80', '127.0.0.1:70000', '127.0.0.1:9-8'],
  ...['127.0.0.1:x', '::1:80', '[logs.test]:80', 'http://a.test:80', '10.0.0.0/33:80', '127.1:80'],
  ...['10.0.0.0/8/8:80', '10.0.0.0/x:80', '[::/129]:80', '0x7f000001:80', '2130706433:80']
])('"%s" is refused in words', (text) => {
  expect(() => parseAllowance(text)).toThrow(`as HOST:PORT, such as`)
  expect(() => parseAllowance(text)).toThrow(`not as "${text}"`)
})
