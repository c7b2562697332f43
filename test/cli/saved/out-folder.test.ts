import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/cli/failure.ts'
import { openFile, openFolder } from '../../../src/cli/saved/out-folder.ts'

const place = () => mkdtempSync(join(tmpdir(), 'plimsoll-place-'))

/** Places that nothing can be written to, of which Node goes round for ever at the first. */
const hopeless: [string, () => string][] = [
  ['below /proc, which denies a folder it says is there', () => '/proc/plimsoll'],
  ['a device', () => '/dev/null'],
  ['below a device', () => '/dev/null/reports'],
  [
    'below a file',
    () => {
      const file = join(place(), 'file')
      writeFileSync(file, '')
      return join(file, 'reports')
    }
  ],
  [
    'a dangling link',
    () => {
      const link = join(place(), 'link')
      symlinkSync('nowhere', link)
      return link
    }
  ],
  [
    'below a dangling link',
    () => {
      const link = join(place(), 'link')
      symlinkSync('nowhere', link)
      return join(link, 'reports', 'nightly')
    }
  ],
  [
    'a link to itself',
    () => {
      const link = join(place(), 'link')
      symlinkSync('link', link)
      return link
    }
  ],
  ['too long a name', () => join(place(), 'a'.repeat(300), 'reports')],
  ['too long a path', () => join(place(), 'a/'.repeat(60_000))],
  ['a name with a NUL', () => join(place(), 'a\0b')]
]

describe('what cannot be written is wrong usage, in a sentence', () => {
  test.each(hopeless)('a folder: %s', (_, make) => {
    expect(() => openFolder(make())).toThrow(Failure)
    expect(() => openFolder(make())).toThrow(/^--out .+ cannot be written: .+; name a place/)
    expect(() => openFolder(make())).toThrow(expect.objectContaining({ code: 64 }))
  })

  test.each(hopeless.filter(([name]) => name !== 'a device'))('a file: %s', (_, make) => {
    expect(() => openFile(join(make(), 'file.html'), '--html')).toThrow(/^--html .*cannot be wri/)
  })
})

test('folders above it are made, and nothing is left in it', () => {
  const folder = join(place(), 'one', 'two', 'three')
  openFolder(folder)
  openFolder(folder)
  expect(readdirSync(folder)).toEqual([])
})

test('a file that is there is left as it is, and a device is a place to write to', () => {
  const folder = place()
  mkdirSync(join(folder, 'sub'))
  const file = join(folder, 'sub', 'file')
  writeFileSync(file, 'as it was')
  openFile(file, '--html')
  openFile('/dev/null', '--html')
  openFile(join(folder, 'new', 'file'), '--html')
  expect(readdirSync(join(folder, 'new'))).toEqual([])
})
