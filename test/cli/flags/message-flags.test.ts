import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import yargs from 'yargs'
import { messageFlags, messageOf } from '../../../src/cli/flags/message-flags.ts'
import { requestFlags } from '../../../src/cli/flags/request-flags.ts'

const folder = mkdtempSync(join(tmpdir(), 'message-'))
afterAll(() => rmSync(folder, { recursive: true }))
const inFile = (name: string, bytes: string | Buffer) => {
  writeFileSync(join(folder, name), bytes)
  return `@${join(folder, name)}`
}

const parsed = (url: string | undefined, words: string[]) =>
  messageOf(
    url,
    messageFlags(requestFlags(yargs().exitProcess(false)))
      .fail(false)
      .parseSync(words)
  )

const url = 'ws://127.0.0.1:8080/chat'

test('what goes over a WebSocket is text where it can be', () => {
  expect(parsed(url, ['--message', 'hi', '-H', 'x-a: 1'])).toEqual({
    ...{ url, body: 'hi', headers: { 'x-a': ['1'] } }
  })
  expect(parsed(url, ['--message', inFile('a.json', '{"ä":1}')])!.body).toBe('{"ä":1}')
  const bytes = Buffer.from([0, 255])
  expect(parsed(url, ['--message', inFile('b', bytes)])!.body).toEqual(bytes)
  expect(parsed(url, ['--message', 'x', '--answer', '^re: \\d+$'])!.answer).toBe('^re: \\d+$')
  expect(parsed('http://127.0.0.1:8080/', [])).toBe(undefined)
})

test.each<[string | undefined, string[], RegExp]>([
  [url, [], /what is sent to ws:.* is named by --message/],
  [url, ['--message', 'x', '-m', 'POST'], /no --method or --body/],
  [
    'http://127.0.0.1/',
    ['--message', 'x'],
    /--message is about WebSockets and gRPC: give a ws: or wss: URL, or a grpc:/
  ],
  [undefined, ['--answer', 'x'], /--answer is about WebSockets/],
  [url, ['--message', 'x', '--answer', '('], /--answer "\(" is no regular expression/],
  ['ws://user:secret@127.0.0.1/', ['--message', 'x'], /holds a password/]
])('%s %j is refused', (to, words, message) => {
  expect(() => parsed(to, words)).toThrow(message)
})
