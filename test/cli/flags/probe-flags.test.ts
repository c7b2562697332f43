import { expect, test } from 'vitest'
import { asCeilings, asLimits } from '../../../src/cli/flags/probe-flags.ts'

test('limits are looked for in the best order, whatever order they are named in', () => {
  expect(asLimits('rate, body,url')).toEqual(['url', 'body', 'rate'])
  expect(() => asLimits('url,hedder')).toThrow('there is no limit "hedder"; nearest: header')
  expect(() => asLimits('zzzzzz')).toThrow(/there is no limit "zzzzzz": name some of .*url.*rate/)
})

test('a size is a number with or without its unit', () => {
  expect(asCeilings(['body=2GB', 'url=64KiB', 'connections=50', 'rate=5'])).toEqual({
    body: 2_000_000_000,
    url: 65_536,
    connections: 50,
    rate: 5
  })
})

test('a time is a duration, told in ms; how much a connection takes is a number', () => {
  expect(asCeilings(['idle=10m', 'requests-per-connection=50'])).toEqual({
    idle: 600_000,
    'requests-per-connection': 50
  })
  expect(() => asCeilings(['idle=8x'])).toThrow('--up-to "8x" is no duration')
})

test.each(['body', 'body=', 'body=1TB', 'body=0', 'speed=5', '=5'])(
  '--up-to %s is refused',
  (text) => {
    expect(() => asCeilings([text])).toThrow()
  }
)
