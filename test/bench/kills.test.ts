import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isWrong, type Outcome, outcomeOf } from './kills/account.ts'
import { killAgainAndAgain } from './kills/campaign.ts'

test('killed again and again, a platform keeps all it acknowledged, of every kind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kills-'))
  const outcomes = await killAgainAndAgain({ folder, kills: 4, seed: 3, clients: 6 })
  expect(outcomes.filter(isWrong)).toEqual([])
  const written = outcomes.filter(({ acknowledged }) => acknowledged > 0)
  expect(written.map(({ name }) => name)).toEqual(outcomes.map(({ name }) => name))
  rmSync(folder, { recursive: true })
}, 240_000)

test('what is wrong is counted, of what may be forgotten too', () => {
  const operation = (kind: 'write' | 'read', value: string | undefined, from: number) => ({
    ...{ kind, value, from, to: from + 1 }
  })
  const histories = new Map([
    ['lost', [operation('write', 'a', 0), operation('read', undefined, 2)]],
    ['stale', [operation('write', 'a', 0), operation('write', 'b', 2), operation('read', 'a', 4)]]
  ])
  const seen = { name: 'x', histories, sent: ['m', 'n'], missing: ['n'], failures: ['no answer'] }
  const counts = ({ acknowledged, lost, nonLinearizable, unavailable }: Outcome) => ({
    ...{ acknowledged, lost, nonLinearizable, unavailable }
  })
  const found = { acknowledged: 5, lost: 3, nonLinearizable: 2, unavailable: 1 }
  expect(counts(outcomeOf(seen))).toEqual(found)
  const forgetful = { ...found, lost: 2, nonLinearizable: 1 }
  expect(counts(outcomeOf({ ...seen, mayForget: true }))).toEqual(forgetful)
})
