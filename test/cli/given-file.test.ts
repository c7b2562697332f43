import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Failure } from '../../src/cli/failure.ts'
import { givenBytes, givenDocument, givenText } from '../../src/cli/given-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-given-'))
const place = (name: string) => join(folder, name)
mkdirSync(place('folder'))
writeFileSync(place('latin'), Buffer.from([0x43, 0x61, 0x66, 0xe9]))
writeFileSync(place('marked'), '\uFEFF{"é":1}')
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['nowhere', 'there is none; name one that is there'],
  ['folder', 'it is a folder; name a file'],
  ['latin/below', 'a part of its path is a file; name a place below a folder']
])('%s that a flag names is a failure that names the flag and what to do', (name, why) => {
  const read = () => givenBytes(`--key ${name}`, place(name))
  expect(read).toThrow(Failure)
  expect(read).toThrow(new Failure(`--key ${name} cannot be read: ${why}`))
})

test('text is what a file holds to the byte, and bytes that are none are refused', () => {
  expect(givenText('--har marked', place('marked'))).toBe('\uFEFF{"é":1}')
  const read = () => givenText('--har latin', place('latin'))
  expect(read).toThrow(new Failure('--har latin is not text in UTF-8: name another file'))
  expect(givenBytes('-b @latin', place('latin'))).toHaveLength(4)
})

test('what comes in on stdin is there each time it is asked for', () => {
  const module = JSON.stringify(resolve(import.meta.dirname, '../../src/cli/given-file.ts'))
  const twice = `import { givenBytes } from ${module}
    for (const _ of 'ab') console.log(String(givenBytes('--body @-', 0)))`
  const asked = ['--input-type=module', '-e', twice]
  expect(execFileSync(process.execPath, asked, { input: 'body' }).toString()).toBe('body\nbody\n')
})

test('a document may have a stray byte, and is no heap of bytes', () => {
  expect(givenDocument('latin', place('latin'))).toBe('Caf\uFFFD')
  writeFileSync(place('binary'), Buffer.from([0x41, 0, 0x42]))
  const read = () => givenDocument('binary', place('binary'))
  expect(read).toThrow(new Failure('binary is no text: name another file'))
})
