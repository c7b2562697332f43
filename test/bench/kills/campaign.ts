import { Agent } from 'node:http'
import { type Random, random } from '../../../src/random.ts'
import { type Sink, sink } from '../../../src/servers/sink.ts'
import { type Account, newAccount, type Outcome, outcomeOf } from './account.ts'
import { type Delivery, deliveriesOf } from './deliveries.ts'
import type { Operation, Value } from './history.ts'
import { killAtStart, type Life, startLife } from './life.ts'
import { type Register, registersOf } from './registers.ts'
import { type Stage, setUp } from './stage.ts'
import { type Ask, clientOf } from './wire.ts'

/** How to try a platform. */
export type Campaign = {
  /** The data folder, which is empty. */
  folder: string
  kills: number
  seed: number
  clients: number
  /** Told after each kill. */
  onKill?: (killed: number, operations: number) => void
}

/** A platform is killed after at most so many operations, and as many milliseconds more. */
const mostOperations = 150
const longestPauseMs = 30
/** A start is interrupted at most this long after its beginning. */
const longestStartMs = 1_200
/** A platform that was asked to end is killed at most this long afterwards. */
const longestEndMs = 300
/** Of all kills, so many come while the platform is starting, and as many while it ends. */
const killsAtStart = 0.1
const killsAtEnd = 0.1
/** What was acknowledged has arrived by then. */
const arrivalMs = 60_000

type Kind = { account: Account } & ({ register: Register } | { delivery: Delivery })
type Trial = { kinds: Kind[]; chance: Random; counter: { number: number } }

/** Kills a platform again and again while clients use all it keeps, and judges what they saw. */
export async function killAgainAndAgain(campaign: Campaign): Promise<Outcome[]> {
  const { folder, kills, seed, clients } = campaign
  await using logs = await sink()
  const chance = random(seed, 'kills')
  const counter = { number: 0 }
  // A folder that is only begun is no damaged one.
  for (let start = 0; start < 2; start++) await killAtStart(folder, chance() * longestStartMs)
  let life = await startLife(folder)
  const kinds = await begun(life, logs)
  const trial = { kinds, chance, counter }
  for (let kill = 1; kill <= kills; kill++) {
    if (chance() < killsAtStart) {
      await life.kill()
      await killAtStart(folder, chance() * longestStartMs)
    } else await lived(life, { ...trial, clients })
    life = await startLife(folder)
    await withClient(life, (ask) => readAll(life, ask, trial))
    campaign.onKill?.(kill, counter.number)
  }
  await withClient(life, (ask) => arrivals(ask, kinds))
  await life.kill()
  return kinds.map(({ account }) => outcomeOf(account))
}

/** Sets the first life up, with an account for each kind. */
async function begun(life: Life, logs: Sink): Promise<Kind[]> {
  return withClient(life, async (ask) => {
    const stage: Stage = await setUp(ask, { said: life.said, logs })
    const kinds: Kind[] = [
      ...registersOf(stage).map((register) => ({
        register,
        account: newAccount(register.name, register.mayForget)
      })),
      ...deliveriesOf(stage, logs.inbox('records')).map((delivery) => ({
        delivery,
        account: newAccount(delivery.name)
      }))
    ]
    // What holds something from the start is known from here on, and every kind is tried.
    for (const kind of kinds)
      if ('register' in kind) {
        const key = kind.register.keyOf({ client: 0, number: 0, chance: 0 })
        await write(life, kind, { key, value: kind.register.nameOf?.(0) ?? '0', ask })
      } else await deliver(life, kind, { name: 'n0', ask })
    return kinds
  })
}

async function withClient<Result>(life: Life, work: (ask: Ask) => Promise<Result>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  try {
    return await work(clientOf(life.said, agent))
  } finally {
    agent.destroy()
  }
}

/** Clients use the platform until it is killed, a moment after some operation of theirs. */
async function lived(life: Life, more: Trial & { clients: number }) {
  const { chance, counter, clients } = more
  const last = counter.number + 1 + Math.floor(chance() * mostOperations)
  const pauseMs = chance() * longestPauseMs
  const endMs = chance() < killsAtEnd ? chance() * longestEndMs : undefined
  await withClient(life, async (ask) => {
    const { promise: isDue, resolve: due } = Promise.withResolvers<void>()
    const work = async (client: number) => {
      while (life.killedAt() === undefined) {
        await act(life, { ...more, client, ask })
        if (counter.number >= last) due()
      }
    }
    const dead = isDue
      .then(() => new Promise((resolve) => setTimeout(resolve, pauseMs)))
      .then(() => life.kill(endMs))
    await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
    await dead
  })
}

/** One operation of a client, on anything. */
async function act(
  life: Life,
  { kinds, chance, counter, ...by }: Trial & { client: number; ask: Ask }
) {
  const kind = chosen(kinds, chance())
  const number = ++counter.number
  if (!('register' in kind)) return deliver(life, kind, { name: `n${number}`, ask: by.ask })
  const { register, account } = kind
  const what = chance()
  const key = register.keyOf({ client: by.client, number, chance: chance() })
  const isFresh = key === `n${number}`
  if (what < 0.4) {
    const known = [...account.histories.keys()]
    const seen = isFresh ? known[Math.floor(chance() * known.length)] : key
    if (seen !== undefined) await read(life, kind, { key: seen, ask: by.ask })
  } else if (what < 0.5 && register.remove) await write(life, kind, { key, ask: by.ask })
  else {
    const value = register.nameOf?.(number) ?? String(number)
    await write(life, kind, { key, value, ask: by.ask })
  }
}

function chosen(kinds: readonly Kind[], chance: number): Kind {
  const lots = kinds.flatMap((kind) => {
    const { weight } = 'register' in kind ? kind.register : kind.delivery
    return Array.from({ length: weight }, () => kind)
  })
  return lots[Math.floor(chance * lots.length)]!
}

type OfRegister = Extract<Kind, { register: Register }>
type OfDelivery = Extract<Kind, { delivery: Delivery }>

/** Writes a value, or removes what is there where none is given; and notes what is known of it. */
async function write(
  life: Life,
  { register, account }: OfRegister,
  { key, value, ask }: { key: string; value?: Value; ask: Ask }
) {
  const note = (operation: Omit<Operation, 'kind' | 'value'>) => {
    const history = account.histories.get(key) ?? []
    account.histories.set(key, [...history, { kind: 'write', value, ...operation }])
  }
  if (
    register.prepare &&
    (await tried(life, account, () => register.prepare!(ask, key))) === failed
  )
    return
  const from = performance.now()
  const work = () =>
    value === undefined ? register.remove!(ask, key) : register.write(ask, key, value)
  const isDone = (await tried(life, account, work)) !== failed
  if (isDone) note({ from, to: performance.now() })
  // Nothing that was asked of a dead process happens after its death.
  else
    note({ from, to: life.killedAt() === undefined ? Infinity : await death(life), isOpen: true })
}

async function read(
  life: Life,
  { register, account }: OfRegister,
  { key, ask }: { key: string; ask: Ask }
) {
  const from = performance.now()
  const value = await tried(life, account, () => register.read(ask, key))
  if (value === failed) return
  const history = account.histories.get(key) ?? []
  account.histories.set(key, [...history, { kind: 'read', value, from, to: performance.now() }])
}

async function deliver(
  life: Life,
  { delivery, account }: OfDelivery,
  { name, ask }: { name: string; ask: Ask }
) {
  if ((await tried(life, account, () => delivery.send(ask, name))) !== failed)
    account.sent.push(name)
}

const failed = Symbol('failed')

/** The result, or `failed`; a failure while nobody had killed the platform is on its account. */
async function tried<Result>(life: Life, account: Account, work: () => Promise<Result>) {
  try {
    return await work()
  } catch (error) {
    if (life.killedAt() === undefined) account.failures.push(`unavailable: ${error}`)
    return failed
  }
}

async function death(life: Life): Promise<number> {
  await life.ended
  return performance.now()
}

/** Reads every key that may have changed since the last time. */
async function readAll(life: Life, ask: Ask, { kinds }: Trial) {
  for (const kind of kinds.filter((kind) => 'register' in kind))
    for (const [key, history] of kind.account.histories)
      if (history.at(-1)!.kind === 'write') await read(life, kind, { key, ask })
}

/** Waits until all that was sent has arrived; what has not then is missing. */
async function arrivals(ask: Ask, kinds: readonly Kind[]) {
  const until = performance.now() + arrivalMs
  for (const { delivery, account } of kinds.filter((kind) => 'delivery' in kind))
    for (;;) {
      const arrived = await delivery.arrived(ask)
      account.missing = account.sent.filter((name) => !arrived.has(name))
      if (account.missing.length === 0 || performance.now() > until) break
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
}
