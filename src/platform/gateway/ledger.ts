import type { Store } from '../kernel/store.ts'

/** The transactions a chain has taken, in order, so that it can be made again. */
export type Ledger = {
  /** Notes a transaction: the `params` it was sent with. */
  note(params: string): void
  /** All of them, oldest first. */
  noted(): string[]
}

/** The table of all ledgers, for the schema. */
export const ledgerTable = `CREATE TABLE gateway_transaction (
  seq INTEGER PRIMARY KEY,
  network TEXT NOT NULL,
  params TEXT NOT NULL
) STRICT;`

/** The ledger of one network in a store. */
export function ledgerOf(store: Store, network: string): Ledger {
  return {
    note(params) {
      const sql = 'INSERT INTO gateway_transaction (network, params) VALUES (?, ?)'
      store.run(sql, network, params)
    },
    noted: () =>
      store
        .all<{ params: string }>(
          'SELECT params FROM gateway_transaction WHERE network = ? ORDER BY seq',
          network
        )
        .map(({ params }) => params)
  }
}

/** Empties the ledgers of all networks. */
export function emptyLedgers(store: Store) {
  store.run('DELETE FROM gateway_transaction')
}
