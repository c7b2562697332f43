import { idOf } from './id.ts'
import type { Mutant } from './mutant.ts'
import type { KernelRules } from './rules.ts'

/** Every known way to break the kernel. */
export const mutants: readonly Mutant<KernelRules>[] = [
  {
    name: 'zone-ids-not-hex',
    clause: 'addressing.zone-id-hex',
    description: 'Zones have ids that are no hexadecimal strings.',
    change: { isId: (text) => /^[\w-]+$/.test(text), zoneId: (name) => `zone-${idOf(name)}` }
  }
]
