import type { Recorder } from '../figures/recorder.ts'
import type { Load } from '../load.ts'
import { createClosed } from './closed.ts'
import type { Conditions, Executor } from './executor.ts'
import { createOpen } from './open.ts'
import { createPacer } from './pacer.ts'
import type { Turn } from './turns.ts'

/** What it takes to carry out one part of a load, whatever its model. */
export type ModelParts = Conditions & {
  /** The load that all parts add up to, and the part. */
  load: Load
  part: Load
  seed: number
  recorder: Pick<Recorder, 'lag' | 'drop'>
  /** Of a closed load: when it is its turn, where it takes turns. */
  turn?: Turn | undefined
}

/** What carries out a part of a load, by its model. */
export function createExecutor({
  load,
  part,
  seed,
  recorder,
  turn,
  ...conditions
}: ModelParts): Executor {
  if (part.model === 'closed') return createClosed({ ...conditions, load: part, seed, turn })
  const pacer = createPacer({ phases: load.phases, seed })
  const { lag, drop } = recorder
  return createOpen({ ...conditions, load: part, pacer, onLag: lag, onDrop: drop })
}
