import { expect, test } from 'vitest'
import type { Instance } from '../../../../src/platform/functions/isolate/instance.ts'
import { createInstancePool } from '../../../../src/platform/functions/isolate/pool.ts'

let moment = 0

/**
 * An instance without a process: busy from when it is held, and gone as soon as it has to go, but
 * for what the system takes to end it, where that is for ever.
 */
function standIn(endsFor: 'good' | 'ever' = 'good') {
  const exit = Promise.withResolvers<void>()
  let heldMs: number | undefined
  let usedMs = ++moment
  let isLeaving = false
  const end = () => {
    isLeaving = true
    if (endsFor === 'good') exit.resolve()
  }
  const instance = {
    isStarting: () => false,
    isCondemned: () => isLeaving,
    isLeaving: () => isLeaving,
    isOver: () => isLeaving && heldMs === undefined,
    occupiedSinceMs: () => heldMs,
    usedMs: () => usedMs,
    condemn: end,
    kill: end,
    exited: exit.promise
  } as Partial<Instance> as Instance
  return {
    instance,
    hold() {
      usedMs = ++moment
      heldMs = usedMs
    },
    rest() {
      heldMs = undefined
    },
    isGone: () => isLeaving
  }
}

type StandIn = ReturnType<typeof standIn>

/** A pool of stand-ins: each taken is held, and told by whose it is. */
function openPool(most: number, endsFor?: 'ever') {
  const made = new Map<Instance, StandIn>()
  const start = () => {
    const one = standIn(endsFor)
    made.set(one.instance, one)
    return one.instance
  }
  const pool = createInstancePool({ start, spares: 0, most })
  const take = async (owner: string) => {
    const taken = made.get(await pool.take(owner))!
    taken.hold()
    return taken
  }
  const several = async (owner: string, count: number) => {
    const taken: StandIn[] = []
    for (let n = 0; n < count; n++) taken.push(await take(owner))
    return taken
  }
  return { take, several, close: pool.close }
}

const gone = (all: StandIn[]) => all.flatMap((one, index) => (one.isGone() ? [index] : []))

test('who has one request held keeps it, however many another account holds', async () => {
  const { take, several } = openPool(24)
  const innocent = await take('b')
  const greedy = await several('a', 23)
  greedy.push(...(await several('a', 10)))
  expect(innocent.isGone()).toBe(false)
  expect(gone(greedy)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('room for another account is made by the one that has most', async () => {
  const { take, several } = openPool(6)
  const few = await several('b', 2)
  const many = await several('a', 4)
  await take('c')
  expect([gone(few), gone(many)]).toEqual([[], [0]])
})

test('who would have most with what he asks for makes room himself', async () => {
  const { several } = openPool(4)
  const others = await several('b', 2)
  const own = await several('a', 2)
  await several('a', 1)
  expect([gone(others), gone(own)]).toEqual([[], [0]])
})

test('one at rest goes before anybody who is busy, whosever it is', async () => {
  const { several } = openPool(4)
  const [resting, later] = await several('b', 2)
  const busy = await several('a', 2)
  for (const one of [resting!, later!]) one.rest()
  await several('a', 1)
  expect([resting!.isGone(), later!.isGone(), gone(busy)]).toEqual([true, false, []])
})

test('nobody waits until the system has taken away one that was at rest', async () => {
  const { take } = openPool(1, 'ever')
  const resting = await take('a')
  resting.rest()
  await take('b')
  expect(resting.isGone()).toBe(true)
})

test('who waits with many others of his own does not keep another account waiting', async () => {
  const { take, several } = openPool(4)
  await several('a', 4)
  const order: string[] = []
  const asked = ['a', 'a', 'a', 'b'].map(async (owner) => {
    await take(owner)
    order.push(owner)
  })
  await Promise.all(asked)
  expect(order.indexOf('b')).toBeLessThan(2)
})

test('who still waits as it closes gets nothing', async () => {
  const { take, several, close } = openPool(1)
  await several('a', 1)
  const waiting = take('b')
  await close()
  await expect(waiting).rejects.toThrow('functions run no more')
})
