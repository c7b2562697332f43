import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createPool } from '../../engine/pool.ts'
import { run } from '../../engine/run.ts'
import { createStop, type Stop, Stopped } from '../../engine/stop.ts'
import type { Target } from '../../target/target.ts'
import { contradicting, type Verdict } from '../../verdict/verdict.ts'
import { type Document, openDocument } from '../document.ts'
import { exit, Failure } from '../failure.ts'
import type { DocumentFlags, TargetFlags, WorkFlags } from '../flags/run-flags.ts'
import { onInterrupt } from '../interrupt.ts'
import { spawnServer } from '../targets/spawned-server.ts'
import { openTarget } from '../targets/target.ts'

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

/** What became of one break: the clauses that fell with it, or why there are none. */
type BreakResult = { name: string; clause?: string; fell: string[]; because: string }

type Hunting = { options: BreakFlags; document: Document; target: Target; stop: Stop }

/** Serves a target by a command, broken in each of its own ways; returns the exit code. */
export async function huntBreaks(options: BreakFlags): Promise<number> {
  const { scenarios, names = [], tier, targetCmd = '', breaks = [] } = options
  if (!targetCmd.includes('{}')) throw new Failure('--target-cmd has no {} for the break')
  const document = await openDocument({ scenarios, ids: names, tier })
  if (!options.target && !existsSync(join(document.folder, 'target.json')))
    throw new Failure('say with --target where the command serves')
  const asked = breaks.map((text) => named(text, document))
  const { target } = await openTarget(options, document)
  const stop = createStop()
  const interrupt = onInterrupt(stop, () => process.stderr.write('Stopping.\n'))
  const hunting = { options, document, target, stop }
  try {
    const held = passing(await served(options.honestCmd ?? honest(targetCmd), hunting))
    if (held.size === 0 && !stop.requested())
      throw new Failure('nothing holds of the target unbroken', exit.nothingChecked)
    const results: BreakResult[] = []
    for (const one of asked) {
      if (stop.requested()) break
      const result = { ...one, ...(await broken(one.name, { held, hunting })) }
      if (stop.requested() && !isKilled(result)) break
      results.push(result)
      if (!options.json) process.stdout.write(breakLine(result))
    }
    process.stdout.write(options.json ? asJson(results, held) : asText(results, held))
    if (interrupt.happened()) return exit.interrupted
    return results.every(isKilled) ? 0 : 1
  } catch (cause) {
    if (cause instanceof Stopped) return exit.interrupted
    throw cause
  } finally {
    interrupt.off()
  }
}

/** A break as it was given, `NAME` or `NAME=CLAUSE`. */
function named(text: string, { inventory }: Document): { name: string; clause?: string } {
  const [name = '', clause] = text.split('=')
  if (!/^[\w.:/-]+$/.test(name)) throw new Failure(`--breaks: "${name}" is no name of a break`)
  if (clause !== undefined && !inventory.has(clause))
    throw new Failure(
      `--breaks: ${name} names the clause "${clause}", which is not in clauses.json`
    )
  return { name, clause }
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

/** The clauses of which all that was judged holds. */
function passing(verdicts: readonly Verdict[]): Set<string> {
  const held = verdicts.filter(({ outcome }) => outcome === 'pass').map(({ clause }) => clause)
  const fallen = new Set(falling(verdicts))
  return new Set(held.filter((clause) => !fallen.has(clause)))
}

function falling(verdicts: readonly Verdict[]): string[] {
  const fallen = verdicts.filter(({ outcome }) => contradicting.includes(outcome))
  return [...new Set(fallen.map(({ clause }) => clause))]
}

async function broken(
  name: string,
  { held, hunting }: { held: ReadonlySet<string>; hunting: Hunting }
): Promise<Pick<BreakResult, 'fell' | 'because'>> {
  const command = hunting.options.targetCmd!.replaceAll('{}', name)
  try {
    const verdicts = await served(command, hunting)
    const fell = falling(verdicts).filter((clause) => held.has(clause))
    const lost = passing(verdicts)
    const unsure = [...held].filter((clause) => !lost.has(clause) && !fell.includes(clause))
    const doubt =
      unsure.length > 0 ? `not judged any more: ${unsure.join(', ')}` : 'all still holds'
    return { fell, because: fell.length > 0 ? `fell: ${fell.join(', ')}` : doubt }
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause
    return { fell: [], because: cause.message }
  }
}

/** Whether its own clause fell, or any where none was named. */
function isKilled({ clause, fell }: BreakResult): boolean {
  return clause === undefined ? fell.length > 0 : fell.includes(clause)
}

function breakLine(result: BreakResult): string {
  const { name, clause, because } = result
  const own = clause === undefined ? '' : `  ${clause}`
  return `${isKilled(result) ? 'killed  ' : 'SURVIVED'}  ${name}${own}\n    ${because}\n`
}

/** Clauses that hold, and that none of the breaks turned to a fail. */
function untrusted(results: readonly BreakResult[], held: ReadonlySet<string>): string[] {
  const fell = new Set(results.flatMap((one) => one.fell))
  return [...held].filter((clause) => !fell.has(clause))
}

function asJson(results: readonly BreakResult[], held: ReadonlySet<string>): string {
  const survived = results.filter((one) => !isKilled(one)).map(({ name }) => name)
  const killed = results.length - survived.length
  const found = results.map(({ name, fell }) => ({ mutant: name, fell }))
  const score = results.length === 0 ? 0 : killed / results.length
  const told = { mutants: results.length, killed, survived, untrusted: untrusted(results, held) }
  return `${JSON.stringify({ ...told, found, score }, null, 2)}\n`
}

function asText(results: readonly BreakResult[], held: ReadonlySet<string>): string {
  const doubt = untrusted(results, held).map(
    (clause) => `  none of these breaks shows that this check can fail: ${clause}\n`
  )
  const killed = results.filter(isKilled).length
  return `\n${killed} of ${results.length} breaks caught\n${doubt.join('')}`
}
