import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ComparisonProgress } from '../../engine/comparison-run.ts'
import type { Block } from '../../verdict/trial.ts'
import type { Failure } from '../failure.ts'
import { openLines } from './line-file.ts'

/** The pairs of a comparison, kept in `pairs.ndjson` as they come, a block a line. */
export type PairsFile = {
  keep: (progress: ComparisonProgress) => void
  /** Closes it. Throws a Failure when it did not take them all. */
  close: () => void
}

/** Begins the file anew in a folder that is there; without a folder nothing is kept. */
export function createPairsFile(out: string | undefined): PairsFile {
  if (out === undefined) return { keep() {}, close() {} }
  const file = join(out, 'pairs.ndjson')
  writeFileSync(file, '')
  const lines = openLines(file)
  const kept = new Set<Block>()
  let failure: Failure | undefined
  return {
    keep(progress) {
      if ((progress.kind !== 'measured' && progress.kind !== 'ended') || failure) return
      const { blocks } = progress
      const confirms = progress.kind === 'measured' && progress.confirms
      for (const pairs of blocks.filter((block) => !kept.has(block))) {
        kept.add(pairs)
        try {
          lines.append(`${JSON.stringify({ confirms, pairs })}\n`)
        } catch (cause) {
          // The comparison goes on: what it finds can be printed all the same.
          failure = cause as Failure
          return
        }
      }
    },
    close() {
      lines.close()
      if (failure) throw failure
    }
  }
}
