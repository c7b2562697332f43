import { expect, test } from 'vitest'
import { createScope, runIn } from '../../../../../src/platform/functions/isolate/guest/scope.ts'
import { createTurns } from '../../../../../src/platform/functions/isolate/guest/turns.ts'
import type { ToGuest } from '../../../../../src/platform/functions/isolate/message.ts'
import { openSharedTurn } from '../../../../../src/platform/functions/isolate/shared-turn.ts'

/** Turns over a sharedTurn that says what was done to it; every message but `idle` opens one. */
function turnsTold() {
  const told: string[] = []
  const sharedTurn = openSharedTurn()
  const turns = createTurns({
    sharedTurn: {
      ...sharedTurn,
      open(turn) {
        sharedTurn.open(turn)
        told.push('open')
      },
      take() {
        sharedTurn.take()
        told.push('taken')
      }
    },
    dispatch(message) {
      if (message.t === 'drop') return
      turns.open(createScope(1, 0))
      told.push('run')
    },
    weigh() {},
    wake() {}
  })
  return { ...turns, told, sharedTurn }
}

const fire = { t: 'fire', timer: 1 } as ToGuest
const drop = { t: 'drop', invocation: 1 } as ToGuest
const resume = (posted: number) => ({ t: 'resume', posted }) as ToGuest

test('a message counts as taken once its turn is open: in between nobody would watch it', () => {
  const { take, told } = turnsTold()
  take(fire)
  take(fire)
  expect(told).toEqual(['open', 'taken', 'run', 'open', 'taken', 'run'])
})

test('each message counts once, whether or not it opens a turn', () => {
  const { take, sharedTurn } = turnsTold()
  for (const message of [drop, fire, resume(3), drop, fire]) take(message)
  expect(sharedTurn.taken()).toBe(5)
})

test('a message that was lost on its way counts once the next one to wake it is taken', () => {
  const { take, sharedTurn } = turnsTold()
  for (const message of [drop, fire, resume(5), drop, resume(8)]) take(message)
  expect(sharedTurn.taken()).toBe(8)
})

test('what runs while no turn is open gets one when it is asked who it is', () => {
  const { take, who, told, sharedTurn } = turnsTold()
  take(fire)
  const [ended, stray] = [sharedTurn.turn(), createScope(2, 0)]
  sharedTurn.condemn(ended)
  sharedTurn.settle(ended)
  expect(runIn(stray, who)).toBe(2)
  expect(sharedTurn.turn()).toBe(ended + 1)
  expect(sharedTurn.owner().id).toBe(2)
  // And it is asked again within it.
  expect(runIn(stray, who)).toBe(2)
  expect(sharedTurn.turn()).toBe(ended + 1)
  expect(told.filter((what) => what === 'open')).toHaveLength(2)
  expect(who()).toBe(0)
})
