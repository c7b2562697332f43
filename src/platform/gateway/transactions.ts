import type { Store } from '../kernel/store.ts'

/** The transactions a chain has taken, in order, so that it can be made again. */
export type TransactionLog = {
  /** Notes a transaction: the `params` it was sent with. */
  note(params: string): void
  /** All of them, oldest first. */
  noted(): string[]
}

/** The table of the transactions of all networks, for the schema. */
export const transactionTable = `CREATE TABLE gateway_transaction (
  seq INTEGER PRIMARY KEY,
  network TEXT NOT NULL,
  params TEXT NOT NULL
) STRICT;`

/** The transactions of one network in a store. */
export function transactionsOf(store: Store, network: string): TransactionLog {
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

/** Forgets the transactions of all networks. */
export function forgetTransactions(store: Store) {
  store.run('DELETE FROM gateway_transaction')
}
