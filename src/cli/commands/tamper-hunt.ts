import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createPool } from '../../engine/pool.ts'
import { createQueue } from '../../engine/queue.ts'
import { createStop } from '../../engine/stop.ts'
import { type TamperedCheck, tamperedChecks } from '../../engine/tampered-check.ts'
import type { Unit } from '../../engine/unit.ts'
import { type KnownBlind, knownOf, parseKnownBlind } from '../../tampering/known-blind.ts'
import type { Target } from '../../target/target.ts'
import { type Document, openDocument } from '../document.ts'
import { exit, Failure, orFail } from '../failure.ts'
import type { DocumentFlags, TargetFlags, WorkFlags } from '../flags/run-flags.ts'
import { givenText } from '../given-file.ts'
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

/** A check, and the reason that the document has for what is not seen. */
type Told = TamperedCheck & { known?: KnownBlind }

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
  const known = await knownBlind(document.folder)
  const { lend, close } = await lender(options, document)
  try {
    const { checks, interrupted } = await hunt({ units, document, lend, options, known })
    process.stdout.write(options.json ? asJson(checks, options.every) : asText(checks))
    if (interrupted) return exit.interrupted
    if (checks.some(isUnknown)) return 1
    return checks.some(({ state }) => state === 'seen') ? 0 : exit.nothingChecked
  } finally {
    await close()
  }
}

/** What a document knows that its checks do not see, in its `blind.json` if it has one. */
async function knownBlind(folder: string): Promise<KnownBlind[]> {
  const file = join(folder, 'blind.json')
  if (!existsSync(file)) return []
  return orFail(() => parseKnownBlind(givenText(file, file), file))
}

const isUnknown = ({ state, known }: Told) => state === 'blind' && known === undefined

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
  demandPackages('platform', 'no --target is named: the embedded reference platform')
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
  known: readonly KnownBlind[]
}): Promise<{ checks: Told[]; interrupted: boolean }> {
  const { units, document, lend, options, known } = parts
  const pool = createPool({ workers: options.workers, onQuestion() {} })
  const queue = createQueue(options.workers)
  const stop = createStop()
  const interrupt = onInterrupt(stop, () => process.stderr.write('Stopping.\n'))
  const { inventory } = document
  const { seed, tamperings: most, every } = options
  const checks: Told[] = []
  await Promise.all(
    units.map((unit) =>
      queue.add({ alone: unit.alone, priority: 0 }, async () => {
        if (stop.requested()) return
        const own = await lend((target) =>
          tamperedChecks({ unit, inventory, target, pool, seed, stop, most, every })
        )
        const found = own.map((check) => withKnown(check, known))
        checks.push(...found)
        if (!options.json) process.stdout.write(found.map((one) => checkLine(one, every)).join(''))
      })
    )
  )
  interrupt.off()
  await pool.close()
  return { checks, interrupted: interrupt.happened() }
}

/** With the reason for what is not seen; of a check that was seen to fail none is needed. */
function withKnown(check: TamperedCheck, all: readonly KnownBlind[]): Told {
  const isNeeded = check.state === 'blind' || check.state === 'doubted'
  return isNeeded ? { ...check, known: knownOf(all, check) } : check
}

const marks: Record<TamperedCheck['state'], string> = {
  seen: 'seen    ',
  doubted: 'doubted ',
  blind: 'BLIND   ',
  left: 'left out'
}

function checkLine(check: Told, isEvery: boolean): string {
  const { state, clause, scenario, because, tried, of, green, known } = check
  const isTried = state === 'blind' || state === 'doubted' || isEvery
  const count = isTried && state !== 'left' ? ` (${tried} of ${of} tried)` : ''
  const stays = isEvery ? green.map((words) => `    green under ${words}\n`).join('') : ''
  const reason = known ? `    known: ${known.because}\n` : ''
  return `${marks[state]}  ${clause}  ${scenario}\n    ${because}${count}\n${reason}${stays}`
}

/** How many came out how, in words. */
function asText(checks: readonly Told[]): string {
  const of = (state: TamperedCheck['state']) => checks.filter((one) => one.state === state)
  const [seen, doubted, blind, left] = [of('seen'), of('doubted'), of('blind'), of('left')]
  const more = [
    ...(doubted.length > 0 ? [`${doubted.length} never failed`] : []),
    ...(left.length > 0 ? [`${left.length} left out`] : [])
  ].map((text) => `, ${text}`)
  const unknown = blind.filter(isUnknown)
  const reasons = blind.length > unknown.length ? `, ${unknown.length} without a reason` : ''
  const list = unknown.map(
    ({ clause, scenario, tried }) =>
      `  blind: ${clause} in ${scenario} passes under all ${tried} tamperings\n`
  )
  const asked = seen.length + doubted.length + blind.length
  const told = `${seen.length} of ${asked} checks see that answers were tampered with`
  return `\n${told}, ${blind.length} blind${reasons}${more.join('')}\n${list.join('')}`
}

function asJson(all: readonly Told[], isEvery: boolean): string {
  const of = (state: TamperedCheck['state']) =>
    all
      .filter((one) => one.state === state)
      .map(({ state: _, green, known, ...rest }) => ({
        ...{ ...rest, known: known?.because },
        ...(isEvery && { green })
      }))
  const [seen, doubted, blind, left] = [of('seen'), of('doubted'), of('blind'), of('left')]
  const checks = seen.length + doubted.length + blind.length
  const score = checks === 0 ? 0 : seen.length / checks
  return `${JSON.stringify({ checks, seen, doubted, blind, left, score }, null, 2)}\n`
}
