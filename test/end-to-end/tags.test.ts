import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plimsoll } from './plimsoll.ts'

const nobody = 'http://127.0.0.1:9/'

/** A folder with a document of one clause. */
function scenarios(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-tags-'))
  const clause = { id: 'a', kind: 'rule', documented: 'it is' }
  writeFileSync(join(folder, 'clauses.json'), JSON.stringify([clause]))
  writeFileSync(
    join(folder, 'a.ts'),
    `import { check } from 'plimsoll'
export default check({ title: 'It is', clauses: ['a'], async run() {} })`
  )
  return folder
}

test.each([
  [['load', nobody, '-d', '1s']],
  [['capacity', nobody, '--time', '5s']],
  [['compare', '--a', nobody, '--b', nobody]],
  [['probe', nobody, '--limits', 'url']],
  [['run', '--target', nobody, '--scenarios', scenarios()]]
])('%j keeps what is said of it', async (words) => {
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-tags-'))
  const tags = ['--tag', 'build=42', '--tag', 'branch=main']
  await plimsoll(...words, ...tags, '--out', out)
  const [records] = globSync('{,*/}results.ndjson', { cwd: out })
  const [first] = readFileSync(join(out, records!), 'utf8').split('\n')
  expect(JSON.parse(first!).tags).toEqual({ build: '42', branch: 'main' })
})
