import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeWhole } from '../../../src/cli/saved/whole-file.ts'

const place = () => mkdtempSync(join(tmpdir(), 'plimsoll-whole-'))

test('a file is replaced, through a link too, and no draft is left', () => {
  const folder = place()
  const file = join(folder, 'report.json')
  symlinkSync('report.json', join(folder, 'link'))
  writeWhole(file, 'first')
  writeWhole(join(folder, 'link'), 'second')
  expect(readFileSync(file, 'utf8')).toBe('second')
  expect(readdirSync(folder).sort()).toEqual(['link', 'report.json'])
})

test('what cannot be written is told in a sentence, and leaves no draft', () => {
  const folder = place()
  mkdirSync(join(folder, 'report.json'))
  const wanted = expect.objectContaining({
    code: 3,
    message: expect.stringMatching(/report\.json cannot be written: E/)
  })
  expect(() => writeWhole(join(folder, 'report.json'), 'text')).toThrow(wanted)
  expect(readdirSync(folder)).toEqual(['report.json'])
})

test('a device is written to, and not replaced', () => {
  writeWhole('/dev/null', 'text')
  expect(() => writeWhole('/dev/full', 'text')).toThrow(/\/dev\/full cannot be written: ENOSPC/)
  expect(readFileSync('/dev/null', 'utf8')).toBe('')
})
