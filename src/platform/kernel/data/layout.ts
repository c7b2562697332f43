import type { Schema } from './database.ts'
import type { FiledTable } from './filed.ts'

/** What a store is made of, as kernel and parts say it together. */
export type Layout = {
  /** Its tables, version after version. */
  schema: Schema
  /** Those of its tables whose rows stand for files. */
  filed: readonly FiledTable[]
  /** The names that its columns have whose text is JSON. */
  jsonColumns: readonly string[]
}
