import { expect, test } from 'vitest'
import { asCeilings, asLimits } from '../../../src/cli/flags/probe-flags.ts'

test('limits are looked for in the best order, whatever order they are named in', () => {
  expect(asLimits('rate, body,url')).toEqual(['url', 'body', 'rate'])
  expect(() => asLimits('url,hedder')).toThrow('there is no limit "hedder"; nearest: header')
})

test('a size is a number with or without its unit', () => {
  expect(asCeilings(['body=2GB', 'url=64KiB', 'connections=50', 'rate=5'])).toEqual({
    body: 2_000_000_000,
    url: 65_536,
    connections: 50,
    rate: 5
  })
})

test.each(['body', 'body=', 'body=1TB', 'body=0', 'speed=5', '=5'])(
  '--up-to %s is refused',
  (text) => {
    expect(() => asCeilings([text])).toThrow()
  }
)
