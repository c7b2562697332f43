import { expect, test } from 'vitest'
import { createScope, runIn } from '../../../../../src/platform/functions/isolate/guest/scope.ts'
import { createTurns } from '../../../../../src/platform/functions/isolate/guest/turns.ts'
import { openLedger } from '../../../../../src/platform/functions/isolate/ledger.ts'
import type { ToGuest } from '../../../../../src/platform/functions/isolate/message.ts'

/** Turns over a ledger that says what was done to it; every message but `idle` opens one. */
function turnsTold() {
  const told: string[] = []
  const ledger = openLedger()
  const turns = createTurns({
    ledger: {
      ...ledger,
      open(turn) {
        ledger.open(turn)
        told.push('open')
      },
      take() {
        ledger.take()
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
  return { ...turns, told, ledger }
}

const fire = { t: 'fire', timer: 1 } as ToGuest
const drop = { t: 'drop', invocation: 1 } as ToGuest
const resume = { t: 'resume' } as ToGuest

test('a message counts as taken once its turn is open: in between nobody would watch it', () => {
  const { take, told } = turnsTold()
  take(fire)
  take(fire)
  expect(told).toEqual(['open', 'taken', 'run', 'open', 'taken', 'run'])
})

test('each message counts once, whether or not it opens a turn', () => {
  const { take, ledger } = turnsTold()
  for (const message of [drop, fire, resume, drop, fire]) take(message)
  expect(ledger.taken()).toBe(5)
})

test('what runs while no turn is open gets one when it is asked who it is', () => {
  const { take, who, told, ledger } = turnsTold()
  take(fire)
  const [ended, stray] = [ledger.turn(), createScope(2, 0)]
  ledger.condemn(ended)
  ledger.settle(ended)
  expect(runIn(stray, who)).toBe(2)
  expect(ledger.turn()).toBe(ended + 1)
  expect(ledger.owner().id).toBe(2)
  // And it is asked again within it.
  expect(runIn(stray, who)).toBe(2)
  expect(ledger.turn()).toBe(ended + 1)
  expect(told.filter((what) => what === 'open')).toHaveLength(2)
  expect(who()).toBe(0)
})
