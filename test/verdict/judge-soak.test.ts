import { expect, test } from 'vitest'
import { budgetsText, judgeSoak } from '../../src/verdict/judge-soak.ts'
import type { Stretch } from '../../src/verdict/stretch.ts'
import { minutes } from '../report/soaks.ts'

const terms = { budget: 0.05, budgets: { rss: 0.05 }, seed: 1 }
const isVoid = (stretch: Stretch): Stretch => ({ ...stretch, voidSeconds: stretch.seconds })

test.each<[string, Stretch[], string, RegExp]>([
  ['drift fails', minutes((at) => 100 + 20 * at), 'fail', /rss rises by/],
  ['stability passes', minutes(() => 100), 'pass', /surely stay/],
  ['too short a time decides nothing', minutes(() => 100, 10), 'inconclusive', /more minutes/],
  ['a generator at fault is ours', minutes(() => 100, 10).map(isVoid), 'error', /rss/]
])('%s', (_, stretches, outcome, because) => {
  const judged = judgeSoak(stretches, terms)
  expect(judged.outcome).toBe(outcome)
  expect(judged.because).toMatch(because)
})

test('what decides is told as a share of its level', () => {
  expect(
    judgeSoak(
      minutes((at) => 100 - 10 * at),
      terms
    ).observed
  ).toMatch(/^rss −1\d % an hour$/)
  expect(judgeSoak([], terms).observed).toBe('nothing that decides')
  expect(budgetsText({ rss: 0.05, p50: 0.1 })).toMatch(/budget: rss by 5 %, p50 by 10 %$/)
})
