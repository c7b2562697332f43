import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOwnFile, linesOf } from '../../../src/cli/saved/saved-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-lines-'))

function fileOf(content: string | Buffer): string {
  const file = join(folder, 'lines')
  writeFileSync(file, content)
  return file
}

test.each([
  ['', []],
  ['\n', ['']],
  ['a', [['a']]],
  ['a\n\nb', ['a', '', ['b']]],
  ['ä👩‍👩‍👧\nend\n', ['ä👩‍👩‍👧', 'end']]
])('%j is %j; what has no end stands alone', (content, expected) => {
  const lines = [...linesOf(fileOf(content))].map(({ text, ended }) => (ended ? text : [text]))
  expect(lines).toEqual(expected)
})

test('a line reaches over as many chunks as it takes, and none is longer than is read', () => {
  const long = 'x'.repeat(10_000_000)
  const far = Buffer.alloc(70_000_000, 'y')
  const content = Buffer.concat([Buffer.from(`${long}é\n`), far, Buffer.from('\nend\n')])
  const lines = [...linesOf(fileOf(content))]
  expect(lines.map(({ text }) => text?.length)).toEqual([10_000_001, undefined, 3])
  expect(lines[0]!.text!.endsWith('é')).toBe(true)
})

test('a folder is no file, and neither is a device or a link', () => {
  expect(() => [...linesOf(folder)]).toThrow(/is no file/)
  expect(() => [...linesOf('/dev/zero')]).toThrow(/is no file/)
  const link = join(folder, 'link')
  symlinkSync(fileOf(''), link)
  expect([isOwnFile(fileOf('')), isOwnFile(link), isOwnFile(folder)]).toEqual([true, false, false])
  expect(isOwnFile(join(fileOf(''), 'below'))).toBe(false)
})
