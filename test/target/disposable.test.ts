import { expect, test } from 'vitest'
import { givingUp } from '../../src/target/disposable.ts'
import { withTables } from '../../src/target/target.ts'

const target = withTables(
  { name: 'staging', endpoints: {} },
  { shelves: { upper: 'a1', lower: 'b2' }, doors: { front: 'c3' } }
)

test('what is in the table of what may be used up is given up by its name', () => {
  const given = givingUp(target, { names: ['lower'], table: 'shelves' })
  expect(given).toEqual({ ...target, disposable: ['lower'] })
})

test.each([
  { names: ['uper'], table: 'shelves', told: 'uper: the target names upper, lower' },
  { names: ['front'], table: 'shelves', told: 'front: the target names upper, lower' },
  { names: ['upper'], table: undefined, told: 'upper: the target names none' },
  { names: ['upper'], table: 'drawers', told: 'upper: the target names none' }
])('any other name is refused: $names of $table', ({ told, ...given }) => {
  expect(() => givingUp(target, given)).toThrow(`--allow-irreversible ${told}`)
})
