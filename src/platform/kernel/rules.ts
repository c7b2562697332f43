import { idOf, isId } from './id.ts'

/** What the kernel decides itself, and can be got wrong about. */
export const kernelRules = {
  isId,
  /** Gives a zone its id. */
  zoneId: idOf
}

/** The shape of `kernelRules`. */
export type KernelRules = typeof kernelRules
