import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { claiming } from '../../engine/plan.ts'
import { createPool } from '../../engine/pool.ts'
import { run } from '../../engine/run.ts'
import { createStop, type Stop, unlessStopped } from '../../engine/stop.ts'
import { isUnspecified } from '../../scenario/clause.ts'
import type { Target } from '../../target/target.ts'
import { type Document, openDocument } from '../document.ts'
import { exit, Failure } from '../failure.ts'
import type { DocumentFlags, TargetFlags, WorkFlags } from '../flags/run-flags.ts'
import { onInterrupt } from '../interrupt.ts'
import { spawnServer } from '../targets/spawned-server.ts'
import { openTarget } from '../targets/target.ts'
import {
  type Break,
  type BreakResult,
  type BreakTally,
  breakLine,
  breaksExit,
  breaksJson,
  breaksText,
  brokenBy,
  type Unbroken,
  unbrokenOf,
  unshowable
} from './break-fate.ts'

/** Which breaks of whose target are hunted. */
export type BreakFlags = DocumentFlags &
  WorkFlags &
  TargetFlags & {
    /** Scenarios by id or a beginning of it. */
    names?: string[]
    insecure: boolean
    targetCmd?: string
    honestCmd?: string
    breaks?: string[]
  }

type Hunting = { options: BreakFlags; document: Document; target: Target; stop: Stop }

/** Serves a target by a command, broken in each of its own ways; returns the exit code. */
export async function huntBreaks(options: BreakFlags): Promise<number> {
  const { scenarios, names = [], tier, targetCmd = '', breaks = [] } = options
  if (!targetCmd.includes('{}')) throw new Failure('--target-cmd has no {} for the break')
  const document = await openDocument({ scenarios, ids: names, tier })
  if (!options.target && !existsSync(join(document.folder, 'target.json')))
    throw new Failure('say with --target where the command serves')
  const asked = breaksIn(breaks, document)
  const { target } = await openTarget(options, document)
  const stop = createStop()
  const interrupt = onInterrupt(stop, () => process.stderr.write('Stopping.\n'))
  try {
    const tally = await hunt(asked, { options, document, target, stop })
    process.stdout.write(options.json ? breaksJson(tally) : breaksText(tally))
    return interrupt.happened() ? exit.interrupted : breaksExit(tally.results)
  } finally {
    interrupt.off()
  }
}

/** Asks the target unbroken and then broken, until all is asked or everything is to stop. */
async function hunt(asked: readonly Break[], hunting: Hunting): Promise<BreakTally> {
  const { options, stop } = hunting
  const own = options.honestCmd ?? honest(options.targetCmd!)
  const verdicts = await served(own, hunting).catch(unlessStopped)
  // What was stopped on the way does not say what holds.
  const unbroken = unbrokenOf(stop.requested() ? [] : verdicts!)
  if (unbroken.held.size === 0 && !stop.requested())
    throw new Failure('nothing holds of the target unbroken', exit.nothingChecked)
  const results: BreakResult[] = []
  for (const one of asked) {
    const result = stop.requested() ? undefined : await broken(one, { unbroken, hunting })
    if (!result) break
    results.push(result)
    if (!options.json) process.stdout.write(breakLine(result))
  }
  return { results, unbroken, left: asked.slice(results.length).map(({ name }) => name) }
}

/** Breaks as they were given, each `NAME` or `NAME=CLAUSE`. */
function breaksIn(texts: readonly string[], document: Document): Break[] {
  const wrong = (text: string, why: string) => new Failure(`--breaks: "${text}" ${why}`)
  return texts.map((text, at) => {
    const [name = '', clause, ...rest] = text.split('=')
    if (!/^[\w.:/][\w.:/-]*$/.test(name))
      throw wrong(
        name,
        'is no name of a break: those have letters, digits, _ . : / and, not first, -'
      )
    if (rest.length > 0) throw wrong(text, 'has more than one =')
    if (texts.indexOf(text) < at) throw wrong(text, 'is there twice')
    const why = clause === undefined ? undefined : unshowing(clause, document)
    if (why !== undefined) throw wrong(name, `names the clause "${clause}", ${why}`)
    return { name, clause }
  })
}

/** Why no scenario that was chosen can show that a clause does not hold; undefined if one can. */
function unshowing(clause: string, { inventory, plan }: Document): string | undefined {
  const entry = inventory.get(clause)
  if (entry === undefined) return 'which is not in clauses.json'
  if (isUnspecified(entry)) return 'which the document leaves open: nothing can fail it'
  const own = claiming(plan.units, [clause])
  if (own.length === 0) return 'which no scenario that was chosen judges'
  const isObserved = own.every(({ observes = [] }) => observes.includes(clause))
  return isObserved ? 'which is only observed: nothing can fail it' : undefined
}

/** The command without the break, and without the flag that it is the value of. */
function honest(command: string): string {
  return command.replaceAll(/(\s+--?[\w-]+)?\s+['"]?\{\}['"]?|\S*\{\}\S*/g, '').trim()
}

/** What the scenarios say of the target while a command serves it. */
async function served(command: string, { options, document, target, stop }: Hunting) {
  const { inventory, plan } = document
  const { url, route } = Object.values(target.endpoints)[0]!
  const server = await spawnServer(command, { url, route, stop: stop.signal })
  // What threads have learnt of one server they would hold against the next at its address.
  const pool = createPool({ workers: options.workers, onQuestion() {} })
  const { seed, tier } = options
  try {
    const given = { units: plan.units, inventory, target, pool, stop, seed, tier }
    return await run({ ...given, onProgress() {} })
  } finally {
    await pool.close()
    await server.stop()
  }
}

/** What becomes of the target with one break; undefined when everything was to stop before that. */
async function broken(
  one: Break,
  { unbroken, hunting }: { unbroken: Unbroken; hunting: Hunting }
): Promise<BreakResult | undefined> {
  const untold = (because: string): BreakResult => {
    return { ...one, state: 'inconclusive', fell: [], because }
  }
  const idle = unshowable(one, unbroken)
  if (idle !== undefined) return untold(idle)
  try {
    const command = hunting.options.targetCmd!.replaceAll('{}', one.name)
    const result = brokenBy(one, unbroken, await served(command, hunting))
    // Of what was stopped on the way only a fall is known.
    return result.state === 'killed' || !hunting.stop.requested() ? result : undefined
  } catch (cause) {
    if (cause instanceof Failure) return untold(cause.message)
    return unlessStopped(cause)
  }
}
