import * as v from 'valibot'
import type { Adapter } from '../target/adapter.ts'
import { type Tables, type Target, taken } from '../target/target.ts'
import type { Found } from './found.ts'
import { orNearest } from './nearest.ts'
import { blame, ownModule } from './own-module.ts'

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

/** What a scenario is handed beside tables, and the endpoint of a target that is given as a URL. */
const handed = ['service', 'key', 'random', 'seed', 'tier', 'endpoint', 'verify', 'observe']
const reserved = [...taken, ...handed]

const table = v.pipe(
  v.string(),
  v.check((name) => !reserved.includes(name), 'No table is called so: it is something else')
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
  const { success, issues } = v.safeParse(schema, target)
  if (success && isAmong(target)) return target as TargetParts
  return blame(
    own,
    "write `export const target = { tables: ['names'] }`, with `disposable` for the one of what " +
      `may be used up, and \`capabilities: (target) => ({ … })\`; ${wrongIn(target, issues)}; ` +
      `no table is called ${reserved.join(', ')}`
  )
}

/** Which member is wrong; of those that are not there, the one that was written instead. */
function wrongIn(target: any, issues: readonly v.BaseIssue<unknown>[] = []): string {
  const issue = issues.find(({ expected }) => expected === 'never') ?? issues[0]
  if (issue === undefined) return `disposable: there is no table "${target.disposable}"`
  const path = v.getDotPath(issue) ?? 'target'
  if (issue.expected !== 'never') return `${path}: ${issue.message}`
  return `there is no ${path}${orNearest(path, Object.keys(schema.entries))}`
}

function isAmong({ tables, disposable }: TargetTables): boolean {
  return disposable === undefined || tables.includes(disposable)
}
