import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plan, plan } from '../engine/plan.ts'
import { type Inventory, parseInventory } from '../scenario/clause.ts'
import { type Found, find, type Loaded, load } from '../scenario/find.ts'
import type { Tier } from '../scenario/scenario.ts'
import { select, unmatched, withinTier } from '../scenario/select.ts'
import { exit, Failure, orFail } from './failure.ts'
import { nearest } from './nearest.ts'

/** The scenarios that come with Plimsoll: the edge platform's document. */
export const shipped = fileURLToPath(new URL('../../scenarios', import.meta.url))

/** A document's folder: its inventory of clauses, its scenarios, and what was selected of them. */
export type Document = {
  folder: string
  inventory: Inventory
  sha256: string
  loaded: Loaded[]
  plan: Plan
}

/** The folder asked for, else `scenarios` in the working folder, else the shipped one. */
export function scenariosFolder(asked: string | undefined): string {
  if (asked !== undefined) return resolve(asked)
  const own = resolve('scenarios')
  return existsSync(join(own, 'clauses.json')) ? own : shipped
}

async function loadAll(found: readonly Found[]): Promise<Loaded[]> {
  const results = await Promise.allSettled(found.map(load))
  const problems = results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as Error).message] : []
  )
  if (problems.length > 0) throw new Failure(problems.join('\n'))
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

function choose(found: readonly Found[], ids: readonly string[]): Found[] {
  const lost = unmatched(found, ids)
  if (lost.length === 0) return select(found, ids)
  const names = found.map(({ id }) => id)
  const lines = lost.map((id) => `no scenario "${id}"; nearest: ${nearest(id, names).join(', ')}`)
  throw new Failure(lines.join('\n'), exit.nothingChecked)
}

/** Reads a document's folder and plans the selected scenarios; a Failure says all that is wrong. */
export async function openDocument(options: {
  scenarios?: string
  ids: readonly string[]
  tier: Tier
}): Promise<Document> {
  const folder = scenariosFolder(options.scenarios)
  const file = join(folder, 'clauses.json')
  if (!existsSync(file)) {
    throw new Failure(
      `${folder} has no clauses.json: list there what the document states, ` +
        'as [{ "id", "kind", "documented", "unit" }]'
    )
  }
  const text = readFileSync(file, 'utf8')
  const inventory = await orFail(() => parseInventory(text, file))
  const selected = choose(await orFail(() => find(folder)), options.ids)
  const loaded = withinTier(await loadAll(selected), options.tier, options.ids)
  if (loaded.length === 0) {
    throw new Failure(`no scenario in ${folder} is in tier ${options.tier}`, exit.nothingChecked)
  }
  const planned = plan(loaded, inventory)
  if (planned.problems.length > 0) throw new Failure(planned.problems.join('\n'))
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { folder, inventory, sha256, loaded, plan: planned }
}
