import type { Answer } from './answer.ts'
import type { Boundary } from './boundary.ts'
import { type ProbeOptions, probe } from './probe.ts'

/** Where one variant of a question has shown the boundary. */
export type VariantBoundary = { variant: string; boundary: Boundary }

/** What to search for in every variant, and how to ask. */
export type VariantOptions = Omit<ProbeOptions, 'ask' | 'canary' | 'onAsked'> & {
  /** Ways to ask the same question; never empty. */
  variants: readonly string[]
  ask: (value: number, variant: string) => Promise<Answer>
  /** Asks what the target is known to accept in that variant. */
  canary: (variant: string) => Promise<Answer>
}

/**
 * Finds a target's boundary in each variant of a question. Once the first has shown it, the others
 * only confirm it, once on each side; one that does not is searched in full.
 */
export async function probeVariants(options: VariantOptions): Promise<VariantBoundary[]> {
  const { variants, readings, repeats, stopped } = options
  const seek = (variant: string, search: Pick<ProbeOptions, 'readings' | 'repeats'>) => {
    const ask = (value: number) => options.ask(value, variant)
    return probe({ ...options, ...search, ask, canary: () => options.canary(variant) })
  }
  const full = { readings, repeats }
  const [first, ...others] = variants as [string, ...string[]]
  const found = await seek(first, full)
  const boundaries = [{ variant: first, boundary: found }]
  for (const variant of others) {
    const { kind, accepted = 0, rejected } = found
    const known = kind === 'found' ? { readings: [accepted], repeats: 1 } : full
    const boundary = await seek(variant, known)
    const agrees = boundary.kind === kind && boundary.rejected === rejected
    const isDone = agrees || known === full || stopped()
    boundaries.push({ variant, boundary: isDone ? boundary : await seek(variant, full) })
  }
  return boundaries
}
