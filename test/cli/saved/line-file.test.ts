import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLines } from '../../../src/cli/saved/line-file.ts'

test('lines are appended to what is there', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-lines-')), 'results.ndjson')
  for (const text of ['first\n', 'second\n']) {
    const lines = openLines(file, { durable: true })
    lines.append(text)
    lines.close()
  }
  expect(readFileSync(file, 'utf8')).toBe('first\nsecond\n')
})

test('a disk that takes nothing is told in a sentence', () => {
  const lines = openLines('/dev/full')
  expect(() => lines.append('first\n')).toThrow(
    expect.objectContaining({
      code: 3,
      message: '/dev/full cannot be written: ENOSPC: no space left on device, write'
    })
  )
  lines.close()
})
