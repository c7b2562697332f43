import { expect, test } from 'vitest'
import yargs from 'yargs'
import { loadFlags } from '../../../src/cli/flags/load-flags.ts'
import { rigFlags } from '../../../src/cli/flags/trial-flags.ts'

const parsed = (flags: typeof loadFlags, words: string) =>
  flags(yargs(words.split(' ').filter(Boolean)).exitProcess(false).fail(false)).parse() as {
    transport: string
  }

test.each([
  ['load', loadFlags],
  ['compare, capacity and soak', rigFlags as never]
])('--http names what sends, for %s', (_, flags) => {
  expect(parsed(flags, '').transport).toBe('http1')
  expect(parsed(flags, '--http 2').transport).toBe('http2')
  expect(parsed(flags, '--http 2 --transport http2').transport).toBe('http2')
  expect(parsed(flags, '--http 1.1').transport).toBe('http1')
  expect(parsed(flags, '--http 1.1 --transport undici').transport).toBe('undici')
  expect(() => parsed(flags, '--http 2 --transport undici')).toThrow('leave out one')
  expect(() => parsed(flags, '--http 2 --transport wire')).toThrow(
    '--http 2 is not what --transport wire sends: leave out one'
  )
  expect(() => parsed(flags, '--http 2 --engine wire')).toThrow('leave out one')
  expect(() => parsed(flags, '--http 1.1 --transport http2')).toThrow('leave out one')
  expect(() => parsed(flags, '--http 3')).toThrow('Choices')
})
