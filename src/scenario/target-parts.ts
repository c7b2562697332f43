import * as v from 'valibot'
import type { Adapter } from '../target/adapter.ts'
import { type Tables, type Target, taken } from '../target/target.ts'
import type { Found } from './found.ts'
import { ownModule } from './own-module.ts'

/** What a document says of its targets, as its `_target.ts` exports it: `target`. */
export type TargetParts = {
  /** The tables that a target's file may have; one that it leaves out is empty. */
  tables: readonly (keyof Tables)[]
  /** The table by whose names a person says what may be used up. */
  disposable?: keyof Tables
  /** What any target can do by its tables alone; an adapter's own capabilities come before. */
  capabilities?: (target: Readonly<Target>) => Adapter
}

/** The same as far as it is plain data. */
export type TargetTables = { tables: readonly string[]; disposable?: string }

const table = v.pipe(
  v.string(),
  v.check((name) => !taken.includes(name))
)
const schema = v.strictObject({
  tables: v.array(table),
  disposable: v.optional(v.string()),
  capabilities: v.optional(v.function())
})

/** What the document of a scenario says of its targets: no table, without the module. */
export async function targetPartsOf(found: Found): Promise<TargetParts> {
  const own = await ownModule(found, '_target')
  if (own === undefined) return { tables: [] }
  const { target } = own.exported
  if (v.is(schema, target) && isAmong(target)) return target as unknown as TargetParts
  throw new Error(
    `${own.file}: write \`export const target = { tables: ['names'] }\`, with \`disposable\` for ` +
      'the one of what may be used up, and `capabilities: (target) => ({ … })`; ' +
      `no table is called ${taken.join(', ')}`
  )
}

function isAmong({ tables, disposable }: TargetTables): boolean {
  return disposable === undefined || tables.includes(disposable)
}
