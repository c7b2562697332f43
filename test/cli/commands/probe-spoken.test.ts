import { expect, test } from 'vitest'
import yargs from 'yargs'
import { settled } from '../../../src/cli/commands/probe-places.ts'
import { insistOnSpoken } from '../../../src/cli/commands/probe-spoken.ts'
import { probeFlags } from '../../../src/cli/flags/probe-flags.ts'

function asked(words: string[], url = 'http://127.0.0.1:9/') {
  const parsed = probeFlags(yargs().exitProcess(false)).fail(false).parseSync(words)
  const flags = settled({ ...parsed, url })
  insistOnSpoken(flags)
  return flags.limits
}

test('what HTTP/2 alone limits is looked for where it is named', () => {
  expect(asked(['--http', '2'])).toEqual([
    ...['streams', 'header-list', 'header-fields', 'frame-size', 'windows', 'pings', 'resets']
  ])
  expect(asked(['--http', '2', '--limits', 'resets,streams'])).toEqual(['streams', 'resets'])
  expect(asked([])).not.toContain('streams')
})

test('what WebSockets are limited by is looked for at their URLs', () => {
  expect(asked([], 'ws://127.0.0.1:9/')).toEqual(['message', 'messages', 'sockets'])
  expect(asked(['--limits', 'socket-idle'], 'wss://127.0.0.1:9/')).toEqual(['socket-idle'])
})

test('the largest message is looked for of a method of gRPC', () => {
  expect(asked([], 'grpcs://127.0.0.1:9/a.B/C')).toEqual(['rpc-message'])
})

test.each<[string[], RegExp, string?]>([
  [['--limits', 'rpc-message'], /--limits rpc-message is asked about over gRPC: give grpc:/],
  [['--limits', 'url'], /over HTTP\/1\.1, and not of a grpc: URL/, 'grpc://a/b.C/D'],
  [['--limits', 'streams'], /--limits streams is asked about over HTTP\/2: give --http 2/],
  [['--http', '2', '--limits', 'url,streams'], /--limits url is asked about over HTTP\/1\.1/],
  [['--http', '2', '--claims'], /--claims asks over HTTP\/1\.1: leave out --http 2/],
  [['--http', '2', '--origin', 'http://127.0.0.1:8/'], /--origin asks over HTTP\/1\.1/],
  [['--limits', 'message'], /--limits message is asked about over WebSockets: give a ws: or wss:/],
  [['--limits', 'url'], /--limits url is asked about over HTTP\/1\.1, and not of/, 'ws://a/'],
  [['--http', '2'], /ws:\/\/a\/ is opened over HTTP\/1\.1: leave out --http 2/, 'ws://a/'],
  [['--race'], /--race asks over HTTP\/1\.1, and not of a ws: URL/, 'ws://a/']
])('%j is refused', (words, told, url) => {
  expect(() => asked(words, url)).toThrow(told)
})
