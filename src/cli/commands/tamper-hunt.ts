import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createPool } from '../../engine/pool.ts'
import { createQueue } from '../../engine/queue.ts'
import { type Sight, sightOf } from '../../engine/sight.ts'
import { createStop } from '../../engine/stop.ts'
import type { Unit } from '../../engine/unit.ts'
import type { Target } from '../../target/target.ts'
import { type Document, openDocument } from '../document.ts'
import { exit, Failure } from '../failure.ts'
import type { DocumentFlags, TargetFlags, WorkFlags } from '../flags/run-flags.ts'
import { onInterrupt } from '../interrupt.ts'
import { demandPackages } from '../optional-packages.ts'
import { openTarget } from '../targets/target.ts'

/** Whose answers are tampered with, and how often. */
export type TamperFlags = DocumentFlags &
  WorkFlags &
  TargetFlags & {
    /** Scenarios by id or a beginning of it. */
    names?: string[]
    insecure: boolean
    tamperings: number
    every: boolean
  }

/** A target for one unit, which nobody else has unless there is only one. */
type Lend = <Result>(work: (target: Target) => Promise<Result>) => Promise<Result>

/** Tampers with what each check rests on, and tells which are blind; returns the exit code. */
export async function huntBlind(options: TamperFlags): Promise<number> {
  const { scenarios, names = [], tier } = options
  const document = await openDocument({ scenarios, ids: names, tier })
  const isAsking = ({ kind }: Unit) => kind === 'check' || kind === 'limit'
  const units = document.plan.units.filter(isAsking)
  if (units.length === 0)
    throw new Failure('none of these is a check or a limit', exit.nothingChecked)
  const { lend, close } = await lender(options, document)
  try {
    const { sights, interrupted } = await hunt({ units, document, lend, options })
    const by = Map.groupBy(sights, ({ state }) => state)
    process.stdout.write(options.json ? asJson(sights, options.every) : asText(sights))
    if (interrupted) return exit.interrupted
    if (by.has('blind')) return 1
    return by.has('seen') ? 0 : exit.nothingChecked
  } finally {
    await close()
  }
}

/** A platform of its own for every unit, or the one target that was named. */
async function lender(
  options: TamperFlags,
  document: Document
): Promise<{ lend: Lend; close: () => Promise<void> }> {
  const { target: asked } = options
  const { folder } = document
  const isOwn = asked === 'platform' || (!asked && !existsSync(join(folder, 'target.json')))
  if (!isOwn) {
    const { target, stop } = await openTarget(options, document)
    return { lend: (work) => work(target), close: stop }
  }
  demandPackages('platform', 'no --target is named, and the embedded reference platform,')
  const { startPlatform } = await import('../../platform/platform.ts')
  const { adapterIn, allowEgress, targetOf } = await import('../targets/embedded.ts')
  const lend: Lend = async (work) => {
    const platform = await startPlatform({ port: 0, allowEgress })
    const parts = { name: 'platform', adapter: adapterIn(folder) }
    return work(targetOf(platform.announcement, parts)).finally(platform.close)
  }
  return { lend, close: async () => {} }
}

async function hunt(parts: {
  units: readonly Unit[]
  document: Document
  lend: Lend
  options: TamperFlags
}): Promise<{ sights: Sight[]; interrupted: boolean }> {
  const { units, document, lend, options } = parts
  const pool = createPool({ workers: options.workers, onQuestion() {} })
  const queue = createQueue(options.workers)
  const stop = createStop()
  const interrupt = onInterrupt(stop, () => process.stderr.write('Stopping.\n'))
  const { inventory } = document
  const { seed, tamperings: most, every } = options
  const sights: Sight[] = []
  await Promise.all(
    units.map((unit) =>
      queue.add({ alone: unit.alone, priority: 0 }, async () => {
        if (stop.requested()) return
        const found = await lend((target) =>
          sightOf({ unit, inventory, target, pool, seed, stop, most, every })
        )
        sights.push(...found)
        if (!options.json) process.stdout.write(found.map((one) => sightLine(one, every)).join(''))
      })
    )
  )
  interrupt.off()
  await pool.close()
  return { sights, interrupted: interrupt.happened() }
}

const marks: Record<Sight['state'], string> = {
  seen: 'seen    ',
  doubted: 'doubted ',
  blind: 'BLIND   ',
  left: 'left out'
}

function sightLine(sight: Sight, isEvery: boolean): string {
  const { state, clause, scenario, because, tried, of, green } = sight
  const isTried = state === 'blind' || state === 'doubted' || isEvery
  const count = isTried && state !== 'left' ? ` (${tried} of ${of} tried)` : ''
  const stays = isEvery ? green.map((words) => `    green under ${words}\n`).join('') : ''
  return `${marks[state]}  ${clause}  ${scenario}\n    ${because}${count}\n${stays}`
}

/** How many came out how, in words. */
function asText(sights: readonly Sight[]): string {
  const of = (state: Sight['state']) => sights.filter((one) => one.state === state)
  const [seen, doubted, blind, left] = [of('seen'), of('doubted'), of('blind'), of('left')]
  const more = [
    ...(doubted.length > 0 ? [`${doubted.length} never failed`] : []),
    ...(left.length > 0 ? [`${left.length} left out`] : [])
  ].map((text) => `, ${text}`)
  const list = blind.map(
    ({ clause, scenario, tried }) =>
      `  blind: ${clause} in ${scenario} passes under all ${tried} tamperings\n`
  )
  const asked = seen.length + doubted.length + blind.length
  const told = `${seen.length} of ${asked} checks see that answers were tampered with`
  return `\n${told}, ${blind.length} blind${more.join('')}\n${list.join('')}`
}

function asJson(sights: readonly Sight[], isEvery: boolean): string {
  const of = (state: Sight['state']) =>
    sights
      .filter((one) => one.state === state)
      .map(({ state: _, green, ...rest }) => ({ ...rest, ...(isEvery && { green }) }))
  const [seen, doubted, blind, left] = [of('seen'), of('doubted'), of('blind'), of('left')]
  const checks = seen.length + doubted.length + blind.length
  const score = checks === 0 ? 0 : seen.length / checks
  return `${JSON.stringify({ checks, seen, doubted, blind, left, score }, null, 2)}\n`
}
