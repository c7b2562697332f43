import { type Opening, openStore as open, type Store } from '../../src/platform/kernel/store.ts'
import { filed, schema } from '../../src/platform/parts.ts'

export type { Store } from '../../src/platform/kernel/store.ts'

/** A store with the tables of all parts. */
export function openStore(folder?: string, opening: Omit<Opening, 'schema'> = {}): Store {
  return open(folder, { schema, filed, ...opening })
}
