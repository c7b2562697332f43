import type { Recorder } from '../figures/recorder.ts'
import type { Load } from '../load.ts'
import { createBurst } from './burst.ts'
import { createClosed } from './closed.ts'
import type { Conditions, Executor } from './executor.ts'
import { createOpen } from './open.ts'
import { createPacer } from './pacer.ts'

/** What it takes to carry out one part of a load, whatever its model. */
export type ModelParts = Conditions & {
  /** The load that all parts add up to, and the part. */
  load: Load
  part: Load
  seed: number
  recorder: Pick<Recorder, 'lag' | 'drop'>
}

/** What carries out a part of a load, by its model. */
export function createExecutor({
  load,
  part,
  seed,
  recorder,
  ...conditions
}: ModelParts): Executor {
  if (part.model === 'closed') return createClosed({ ...conditions, load: part, seed })
  if (part.model === 'burst') return createBurst({ ...conditions, load: part })
  const pacer = createPacer({ phases: load.phases, seed })
  const { lag, drop } = recorder
  return createOpen({ ...conditions, load: part, pacer, onLag: lag, onDrop: drop })
}
