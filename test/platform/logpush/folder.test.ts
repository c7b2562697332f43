import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeRoot, outsideOf, saveBelow } from '../../../src/platform/logpush/folder.ts'

/** A folder that files are written below, and one beside it that nothing may be written to. */
function place() {
  const whole = mkdtempSync(join(tmpdir(), 'folder-'))
  onTestFinished(() => rmSync(whole, { recursive: true }))
  const [root, beside] = [join(whole, 'logs'), join(whole, 'logs-beside')]
  mkdirSync(root)
  mkdirSync(beside)
  const save = (folder: string, content = 'new') =>
    saveBelow(root, { folder, name: 'a' }, Buffer.from(content))
  return { root, beside, save }
}

test('files go into the folder itself and into those below, which are made', async () => {
  const { root, save } = place()
  await save(root)
  await save(join(root, 'zone'))
  await save(join(root, 'zone'), 'newer')
  await save(join(root, 'zone', 'day'))
  expect(readFileSync(join(root, 'zone', 'a'), 'utf8')).toBe('newer')
  expect(readdirSync(root, { recursive: true }).sort()).toEqual([
    ...['a', 'zone', 'zone/a', 'zone/day', 'zone/day/a']
  ])
})

test('nothing is written beside it, by whatever path', async () => {
  const { root, beside, save } = place()
  const paths = [
    beside,
    `${root}/../logs-beside`,
    `${root}/x/../../logs-beside`,
    resolve(root, '..')
  ]
  for (const path of paths) {
    expect(outsideOf(root, path)).toContain('--log-files')
    await expect(save(path)).rejects.toThrow('--log-files')
  }
  expect(readdirSync(beside)).toEqual([])
  for (const path of [`${root}/..x`, `${root}/x/../y`])
    expect(outsideOf(root, path)).toBe(undefined)
})

test('no link leads out of it, neither of a folder, nor of one above, nor of a file', async () => {
  const { root, beside, save } = place()
  symlinkSync(beside, join(root, 'out'))
  await expect(save(join(root, 'out'))).rejects.toThrow('a link leads to')
  await expect(save(join(root, 'out', 'deeper'))).rejects.toThrow('a link leads to')
  expect(readdirSync(beside)).toEqual([])
  writeFileSync(join(beside, 'victim'), 'kept')
  for (const name of ['a', 'a.part']) symlinkSync(join(beside, 'victim'), join(root, name))
  await expect(save(root)).rejects.toThrow('ELOOP')
  await save(root)
  expect(readFileSync(join(beside, 'victim'), 'utf8')).toBe('kept')
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe('new')
  expect(readdirSync(root).sort()).toEqual(['a', 'out'])
})

test('links that stay inside are followed, and so is one to the folder itself', async () => {
  const { root, beside, save } = place()
  mkdirSync(join(root, 'zone'))
  symlinkSync(join(root, 'zone'), join(root, 'alias'))
  await save(join(root, 'alias'))
  expect(existsSync(join(root, 'zone', 'a'))).toBe(true)
  const alias = join(beside, 'logs')
  symlinkSync(root, alias)
  for (const folder of [alias, join(alias, 'zone')])
    await saveBelow(alias, { folder, name: 'b' }, Buffer.from('b'))
  expect([existsSync(join(root, 'b')), existsSync(join(root, 'zone', 'b'))]).toEqual([true, true])
})

test('where there is no room nothing is left behind', () => {
  const { root } = place()
  const module = resolve(import.meta.dirname, '../../../src/platform/logpush/folder.ts')
  const program = `
    import { saveBelow } from ${JSON.stringify(module)}
    const [root, folder] = [${JSON.stringify(root)}, ${JSON.stringify(join(root, 'zone'))}]
    const sent = saveBelow(root, { folder, name: 'a' }, Buffer.alloc(1e6))
    console.log(await sent.catch(({ code }) => code))`
  // A process that may write no more than a few blocks meets what a full disk is for others.
  const script = 'trap "" XFSZ; ulimit -f 8; exec "$@"'
  const args = ['-c', script, 'sh', process.execPath, '--input-type=module', '-e', program]
  expect(spawnSync('sh', args, { encoding: 'utf8' }).stdout.trim()).toBe('EFBIG')
  expect(readdirSync(root, { recursive: true })).toEqual(['zone'])
})

test('what is not a folder cannot be one to write below', () => {
  const { root } = place()
  makeRoot(join(root, 'a', 'b'))
  expect(existsSync(join(root, 'a', 'b'))).toBe(true)
  writeFileSync(join(root, 'file'), '')
  expect(() => makeRoot(join(root, 'file'))).toThrow(/--log-files .* is not a folder/)
})
