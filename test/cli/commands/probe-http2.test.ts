import { expect, test } from 'vitest'
import yargs from 'yargs'
import { insistOnHttp } from '../../../src/cli/commands/probe-http2.ts'
import { settled } from '../../../src/cli/commands/probe-places.ts'
import { probeFlags } from '../../../src/cli/flags/probe-flags.ts'

const url = 'http://127.0.0.1:9/'

function asked(words: string[]) {
  const parsed = probeFlags(yargs().exitProcess(false)).fail(false).parseSync(words)
  const flags = settled({ ...parsed, url })
  insistOnHttp(flags)
  return flags.limits
}

test('what HTTP/2 alone limits is looked for where it is named', () => {
  expect(asked(['--http', '2'])).toEqual([
    ...['streams', 'header-list', 'header-fields', 'frame-size', 'windows', 'pings', 'resets']
  ])
  expect(asked(['--http', '2', '--limits', 'resets,streams'])).toEqual(['streams', 'resets'])
  expect(asked([])).not.toContain('streams')
})

test.each<[string[], RegExp]>([
  [['--limits', 'streams'], /--limits streams is asked about over HTTP\/2: give --http 2/],
  [['--http', '2', '--limits', 'url,streams'], /--limits url is asked about over HTTP\/1\.1/],
  [['--http', '2', '--claims'], /--claims asks over HTTP\/1\.1: leave out --http 2/],
  [['--http', '2', '--origin', url], /--origin asks over HTTP\/1\.1/]
])('%j is refused', (words, told) => {
  expect(() => asked(words)).toThrow(told)
})
