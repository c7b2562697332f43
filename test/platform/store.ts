import { type Opening, openStore as open, type Store } from '../../src/platform/kernel/store.ts'
import { layout } from '../../src/platform/parts.ts'

export type { Store } from '../../src/platform/kernel/store.ts'

/** A store with the tables of all parts. */
export function openStore(folder?: string, opening: Partial<Opening> = {}): Store {
  return open(folder, { ...layout, ...opening })
}
