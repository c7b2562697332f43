import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { gathered, openFiles } from '../../../../src/platform/kernel/data/files.ts'
import { bodyOf, textOf } from '../../functions/stage.ts'
import { filesOpenIn } from '../../open-files.ts'

async function written(files: ReturnType<typeof openFiles>, ...texts: string[]) {
  const writing = await files.begin()
  for (const text of texts) await writing.write(Buffer.from(text))
  return writing.end()
}

test('what was written is read, in whole and in parts', async () => {
  const files = openFiles()
  const name = await written(files, 'hello ', 'world')
  const read = async (offset: number, length: number) =>
    textOf(await files.read(name, { offset, length }))
  expect(await read(0, 11)).toBe('hello world')
  expect(await read(4, 3)).toBe('o w')
  expect(await read(3, 0)).toBe('')
  files.close()
})

test('large files come as a stream, and what was given up is not there', async () => {
  const files = openFiles()
  const text = 'x'.repeat(200_000)
  const name = await written(files, text, 'end')
  expect(await textOf(await files.read(name, { offset: 1, length: 200_002 }))).toBe(
    `${text.slice(1)}end`
  )
  const writing = await files.begin()
  await writing.write(Buffer.from('x'))
  await writing.abandon()
  await files.remove(name)
  expect(await files.read(name, { offset: 0, length: 1 })).toBeUndefined()
  files.close()
})

test('who leaves a large file before any of it came has its file closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-files-'))
  const files = openFiles(folder)
  const name = await written(files, 'x'.repeat(200_000))
  const body = await files.read(name, { offset: 0, length: 200_000 })
  expect(filesOpenIn(folder)).toHaveLength(1)
  await body?.[Symbol.asyncIterator]().return?.()
  await vi.waitFor(() => expect(filesOpenIn(folder)).toEqual([]))
  files.close()
  rmSync(folder, { recursive: true })
})

test('without a folder nothing remains, and with one everything does', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'files-')), 'deep')
  const kept = openFiles(folder)
  expect(existsSync(folder)).toBe(false)
  const name = await written(kept, 'x')
  kept.close()
  expect(readdirSync(folder)).toEqual([name])
  rmSync(folder, { recursive: true })
})

test('bytes are gathered up to a limit', async () => {
  expect(String(await gathered(bodyOf('ab', 'cd'), 4))).toBe('abcd')
  expect(await gathered(bodyOf('ab', 'cde'), 4)).toBeUndefined()
  expect(await gathered(undefined, 0)).toEqual(Buffer.alloc(0))
})

test('a disk that takes a part of what it is given is given the rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'files-'))
  const probe = await open(join(folder, 'probe'), 'w')
  const { writev } = Object.getPrototypeOf(probe)
  await probe.close()
  const stingy = vi.spyOn(Object.getPrototypeOf(probe), 'writev').mockImplementation(function (
    this: unknown,
    chunks: unknown
  ) {
    const [first] = chunks as Buffer[]
    return writev.call(this, [first!.subarray(0, 3)])
  })
  const files = openFiles(folder, { lasting: true })
  const name = await written(files, 'hello ', 'wo', 'rld')
  stingy.mockRestore()
  expect(await textOf(await files.read(name, { offset: 0, length: 100 }))).toBe('hello world')
  rmSync(folder, { recursive: true })
})
