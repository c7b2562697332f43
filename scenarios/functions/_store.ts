import { setTimeout as pause } from 'node:timers/promises'
import type { Look } from 'plimsoll'
import { type Command, type Outcome, outcomesOf, series } from './_command.ts'
import { muteness, type Told, told } from './_mute.ts'
import type { Probe } from './_stage.ts'

/** A service that keeps texts by name, in the commands of the probe. */
export type Store = {
  put(name: string, text: string): Command
  get(name: string): Command
  delete(name: string): Command
  /** Names what is kept whose names begin like this; a service that cannot has none. */
  list?(prefix: string): Command
  /** The text of what was got; undefined where there was none. */
  textOf(got: Outcome): unknown
  namesOf?(listed: Outcome): unknown
}

/** What is kept may take a moment to be there for all, which is nobody's fault. */
const [looks, everyMs] = [6, 400]

/** What a store holds, as far as a model knows: texts by name, and names that are not there. */
type Held = Readonly<Record<string, string | undefined>>

/** Of a probe that says nothing: that it is mute, or, where it may only be late, nothing. */
function silence(asked: string, said: Told): Look[] | undefined {
  if (said.reply.kind !== 'timeout') return undefined
  return [muteness(asked, said)].filter((one) => one !== undefined)
}

/** Asks a store for all that it should hold and should not, until it is so, or for a while. */
async function holding(
  { probe, store, prefix }: { probe: Probe; store: Store; prefix: string },
  { asked, held }: { asked: string; held: Held }
): Promise<Look[]> {
  const names = Object.keys(held)
  const there = names.filter((name) => held[name] !== undefined).sort()
  // What begins like nothing that is there, and like all that is.
  const lists = [store.list?.(`${prefix}?`), store.list?.(prefix)]
  const commands = [...names.map((name) => store.get(name)), ...lists]
  for (let look = 1; ; look++) {
    const asking = series(...commands.filter((one) => one !== undefined))
    const said = await told(probe, () => asking)
    const { reply } = said
    const outcomes = outcomesOf(reply)
    if (outcomes.length === 0) return silence(asked, said) ?? []
    const odd = names.filter((name, at) => store.textOf(outcomes[at]!) !== held[name])
    const listed = store.list && outcomes.slice(-2).map((one) => store.namesOf!(one))
    const isListed = listed === undefined || JSON.stringify(listed) === JSON.stringify([[], there])
    const holds = odd.length === 0 && isListed
    const shown = odd.map((name) => name.slice(prefix.length)).join(', ')
    const saw = holds ? 'all as it should be' : `not as put: ${shown || 'the list'}`
    if (holds || look === looks) return [{ asked, holds, saw, reply }]
    await pause(everyMs)
  }
}

/**
 * Puts, replaces and deletes beside what must stay as it is, and reads all of it back; then the
 * same names elsewhere, where another text was put under one of them before. Who is mute on one
 * of these is asked no more, and nothing is told of who is only late.
 */
export async function keptIn(
  store: Store,
  {
    probe,
    other,
    prefix,
    beside
  }: { probe: Probe; other: Probe; prefix: string; beside?: Store | undefined }
): Promise<Look[]> {
  const [one, two, nobody] = ['one', 'two', 'none'].map((name) => prefix + name) as [string, ...any]
  // Longer than a chunk, and with characters of several bytes.
  const [first, second, third] = ['1st', '"2nd"\n', 'é€😀'.repeat(12_000)] as const
  const steps: [string, Command[], Held][] = [
    ['two put', [store.put(one, first), store.put(two, second)], { [one]: first, [two]: second }],
    ['one replaced', [store.put(one, third)], { [one]: third, [two]: second }],
    ['one deleted', [store.delete(one)], { [one]: undefined, [two]: second }]
  ]
  const places: [asked: string, probe: Probe, store: Store | undefined][] = [
    ['the same names in another one of the same function', probe, beside],
    ['the same names in another account', other, store]
  ]
  const theirs = 'put elsewhere'
  for (const [asked, of, kept] of places) {
    const none = kept && silence(asked, await told(of, () => kept.put(one, theirs)))
    if (none) return none
  }
  const seen: Look[] = []
  for (const [asked, commands, held] of steps) {
    const none = silence(asked, await told(probe, () => series(...commands)))
    if (none) return none
    const at = { probe, store, prefix }
    const found = await holding(at, { asked, held: { ...held, [nobody]: undefined } })
    if (found.length === 0 || found.some(({ holds }) => !holds)) return found
    seen.push(...found)
  }
  const elsewhere = { [one]: theirs, [two]: undefined }
  for (const [asked, of, kept] of places) {
    if (!kept) continue
    const at = { probe: of, store: kept, prefix }
    const found = await holding(at, { asked, held: elsewhere })
    if (found.length === 0) return found
    seen.push(...found)
  }
  return seen
}
