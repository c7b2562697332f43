import { expect, test } from 'vitest'
import { type Answer, accepted, rejected, unclear } from '../../src/limit/answer.ts'
import type { AskedValue } from '../../src/limit/boundary.ts'
import { type ProbeOptions, probe } from '../../src/limit/probe.ts'
import { reply } from './replies.ts'

/** A target with a line at 100 that is well as long as `isWell` says so. */
function target(isWell: (questions: number) => boolean = () => true) {
  const heard: (number | 'canary')[] = []
  const answer = (value: number): Answer => {
    if (!isWell(heard.length)) return rejected(reply(503))
    return value <= 100 ? accepted(reply(200)) : rejected(reply(413))
  }
  const options: ProbeOptions = {
    readings: [100],
    smallest: 1,
    resolution: 1,
    ceiling: 400,
    repeats: 2,
    async ask(value) {
      heard.push(value)
      return answer(value)
    },
    async canary() {
      heard.push('canary')
      return answer(1)
    },
    stopped: () => false
  }
  return { heard, options }
}

test('every refusal is followed by a canary, and told in order', async () => {
  const { heard, options } = target()
  const told: AskedValue[] = []
  const boundary = await probe({ ...options, onAsked: (asked) => told.push(asked) })
  expect(boundary).toMatchObject({ kind: 'found', accepted: 100, rejected: 101 })
  expect(heard).toEqual([1, 100, 101, 'canary', 100, 101, 'canary'])
  expect(told).toEqual(boundary.asked)
  expect(told[2]).toEqual({ value: 101, kind: 'rejected', proper: true, because: 'HTTP 413' })
})

test('a target that falls over has no boundary', async () => {
  const { options } = target((questions) => questions < 3)
  const boundary = await probe(options)
  expect(boundary.kind).toBe('unclear')
  expect(boundary.because).toBe(
    '101 got no clear answer, 3 times: HTTP 503; the target stopped answering after 101: HTTP 503'
  )
})

test('one that recovers has', async () => {
  const { options } = target((questions) => questions < 3 || questions > 4)
  expect(await probe(options)).toMatchObject({ kind: 'found', accepted: 100, rejected: 101 })
})

test('a canary without an answer makes the refusal unclear', async () => {
  const { options } = target()
  const boundary = await probe({ ...options, canary: async () => unclear(reply(0), 'no byte') })
  expect(boundary).toMatchObject({ kind: 'unclear' })
  expect(boundary.because).toContain('the target stopped answering after 101: no byte')
})

test('a target that has accepted nothing is closed, since there is no canary to ask', async () => {
  const { heard, options } = target()
  const boundary = await probe({ ...options, ask: async () => rejected(reply(401)) })
  expect(boundary).toMatchObject({ kind: 'closed', rejected: 1 })
  expect(heard).toEqual([])
})

test('a request to stop is heard before the next question', async () => {
  const { heard, options } = target()
  const boundary = await probe({ ...options, stopped: () => heard.length === 2 })
  expect(heard).toEqual([1, 100])
  expect(boundary).toMatchObject({
    ...{ kind: 'unclear', accepted: 100 },
    because: 'stopped before the boundary was found, 100 was accepted'
  })
  expect(boundary.asked.map((one) => one.value)).toEqual([1, 100])
})

test('a fault in asking is thrown, not taken for an answer', async () => {
  const { options } = target()
  const ask = () => Promise.reject(new TypeError('no such path'))
  await expect(probe({ ...options, ask })).rejects.toThrow('no such path')
})
