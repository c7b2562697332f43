import { expect, test } from 'vitest'
import yargs from 'yargs'
import { type LoadFlags, loadFlags, loadOf } from '../../../src/cli/flags/load-flags.ts'
import { rigFlags } from '../../../src/cli/flags/trial-flags.ts'

const flags = {
  ...{ connections: 5, duration: 2, pipelining: 1, timeout: 3, transport: 'wire' },
  ...{ insecure: false, url: 'http://127.0.0.1/', method: 'GET', header: [] }
} as unknown as LoadFlags

test('arrivals are precise where a rate is named and somebody asks for it', () => {
  expect(loadOf({ ...flags, rate: 10, precise: true })).toMatchObject({ precise: true })
  expect(loadOf({ ...flags, rate: 10 })).not.toHaveProperty('precise')
  expect(() => loadOf({ ...flags, precise: true })).toThrow('name one by -r')
})

test.each([
  [['-r', '1e12'], /--rate must be more than 0, and 10,000,000 at most/],
  [['-r', '0'], /--rate must be more than 0/],
  [['-w', '100000'], /--workers must be a whole number from 1 to 1,024/],
  [['-c', '1e9'], /--connections must be a whole number from 1 to 100,000/],
  [['-p', '1e9'], /--pipelining must be a whole number from 1 to 10,000/],
  [['-t', '99999999999h'], /--timeout "99999999999h" is longer than 10,000h/]
])('%j is refused as it is read, by all that load', (words, message) => {
  for (const flags of [loadFlags, rigFlags]) {
    const parse = flags(yargs().exitProcess(false)).fail(false)
    expect(() => parse.parseSync(words)).toThrow(message)
  }
})

test('what is in flight at once has a bound', () => {
  const many = { ...flags, connections: 1_000, pipelining: 1_001 }
  expect(() => loadOf(many)).toThrow(/--pipelining 1001 are more than 1,000,000 requests in flight/)
  expect(loadOf({ ...many, pipelining: 1_000 })).toMatchObject({ pipelining: 1_000 })
})

test.each(['abc', '-1', '1.5', '4294967296'])('--seed %s is none', (seed) => {
  const parse = rigFlags(yargs().exitProcess(false)).fail(false)
  expect(() => parse.parseSync(`--seed=${seed}`)).toThrow(/--seed must be a whole number from 0/)
})
