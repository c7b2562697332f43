import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPairsFile } from '../../../src/cli/saved/pairs-file.ts'
import type { ComparisonProgress } from '../../../src/engine/comparison-run.ts'
import { random } from '../../../src/random.ts'
import { blocksAbout } from '../../verdict/pairs.ts'

const blocks = blocksAbout(0, 3, random(1))
const out = () => mkdtempSync(join(tmpdir(), 'plimsoll-pairs-'))

/** What a comparison tells once it has so many blocks. */
function measured(count: number): ComparisonProgress {
  const terms = { metric: 'p50', margins: { nothing: 0.01, budget: 0.05 } } as never
  return { kind: 'measured', blocks: blocks.slice(0, count), terms, confirms: false }
}

test('every block is kept once', () => {
  const folder = out()
  const pairs = createPairsFile(folder)
  for (const count of [1, 2, 3]) pairs.keep(measured(count))
  pairs.close()
  const lines = readFileSync(join(folder, 'pairs.ndjson'), 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    blocks.map((block) => ({ confirms: false, pairs: block }))
  )
})

test('a comparison is told only in the end that its disk was full', () => {
  const folder = out()
  symlinkSync('/dev/full', join(folder, 'pairs.ndjson'))
  const pairs = createPairsFile(folder)
  for (const count of [1, 2, 3]) pairs.keep(measured(count))
  expect(() => pairs.close()).toThrow(expect.objectContaining({ code: 3 }))
})
