import { expect, test } from 'vitest'
import { type AskedRound, sharedGroups } from '../../../src/limit/layers/shared-groups.ts'

/** What replicas take that count in these groups of 20, each round beginning with another one. */
function roundsOf(groups: readonly number[], many = groups.length): AskedRound[] {
  return Array.from({ length: many }, (_, nth) => {
    const used = new Set<number>()
    return groups.map((__, turn) => {
      const place = (nth + turn) % groups.length
      const taken = used.has(groups[place]!) ? 0 : 20
      used.add(groups[place]!)
      return { place, taken }
    })
  })
}

const levels = (many: number) => Array.from({ length: many }, () => 20)

test('groups are found by who takes nothing after whom', () => {
  for (const [groups, expected] of [
    [
      [0, 0, 1],
      [[0, 1], [2]]
    ],
    [
      [0, 1, 0],
      [[0, 2], [1]]
    ],
    [
      [0, 1, 2],
      [[0], [1], [2]]
    ],
    [[0, 0, 0], [[0, 1, 2]]],
    [
      [0, 1, 0, 1],
      [
        [0, 2],
        [1, 3]
      ]
    ]
  ] as const) {
    expect(sharedGroups(roundsOf(groups), levels(groups.length))).toEqual(expected)
  }
})

test('what took a part, or contradicts itself, is in no groups', () => {
  const [first, ...rest] = roundsOf([0, 0, 1])
  const partly = first!.map((one, turn) => (turn === 1 ? { ...one, taken: 9 } : one))
  expect(sharedGroups([partly, ...rest], levels(3))).toBeUndefined()
  const other = first!.map((one, turn) => (turn === 1 ? { ...one, taken: 20 } : one))
  expect(sharedGroups([other, ...rest], levels(3))).toBeUndefined()
})
