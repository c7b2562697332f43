import { expect, test } from 'vitest'
import { createQueue } from '../../src/engine/queue.ts'

/** Adds pieces of work that last a few turns, and tells which overlapped. */
async function observe(workers: number, pieces: { name: string; alone: string[] }[]) {
  const queue = createQueue(workers)
  const running = new Set<string>()
  const overlaps = new Set<string>()
  const order: string[] = []
  await Promise.all(
    pieces.map(({ name, alone }) =>
      queue.add({ alone, priority: 0 }, async () => {
        order.push(name)
        for (const other of running) overlaps.add([name, other].sort().join('+'))
        running.add(name)
        for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
        running.delete(name)
      })
    )
  )
  return { overlaps, order }
}

test('work overlaps up to the number of workers', async () => {
  const { overlaps } = await observe(2, [
    { name: 'a', alone: [] },
    { name: 'b', alone: [] },
    { name: 'c', alone: [] }
  ])
  expect(overlaps).toContain('a+b')
})

test('work that needs the same thing alone never overlaps', async () => {
  const { overlaps } = await observe(4, [
    { name: 'a', alone: ['settings'] },
    { name: 'b', alone: ['settings', 'policies'] },
    { name: 'c', alone: ['policies'] },
    { name: 'd', alone: ['rules'] }
  ])
  expect(overlaps).not.toContain('a+b')
  expect(overlaps).not.toContain('b+c')
  expect(overlaps).toContain('a+d')
})

test('work that stands in a row goes before other work', async () => {
  const { order } = await observe(1, [
    { name: 'a', alone: [] },
    { name: 'b', alone: [] },
    { name: 'c', alone: ['clock'] },
    { name: 'd', alone: ['clock'] },
    { name: 'e', alone: [] }
  ])
  // A thread takes other work at the moment at which one of a row lets the next one go.
  expect(order).toEqual(['a', 'c', 'b', 'd', 'e'])
})

test('work that needs everything comes last and by itself', async () => {
  const { overlaps, order } = await observe(4, [
    { name: 'whole', alone: ['everything'] },
    { name: 'a', alone: [] },
    { name: 'b', alone: ['settings'] },
    { name: 'also whole', alone: ['everything'] }
  ])
  expect([...overlaps].filter((pair) => pair.includes('whole'))).toEqual([])
  expect(order.slice(-2).sort()).toEqual(['also whole', 'whole'])
})

test('work that fails rejects and does not hold others up', async () => {
  const queue = createQueue(1)
  const failed = queue.add({ alone: ['x'], priority: 0 }, async () => {
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  await expect(queue.add({ alone: ['x'], priority: 0 }, async () => 'yes')).resolves.toBe('yes')
  await expect(queue.add({ alone: ['everything'], priority: 0 }, async () => 1)).resolves.toBe(1)
})
