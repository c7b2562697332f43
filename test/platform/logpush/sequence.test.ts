import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSpool } from '../../../src/platform/logpush/spool.ts'
import { stocked } from './stocked.ts'

type Act =
  | { act: 'add'; count: number }
  | { act: 'send'; arrives: boolean; told: boolean; records: number }
  | { act: 'restart' }

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constant('add' as const), count: fc.integer({ min: 1, max: 250 }) }),
  fc.record({
    act: fc.constant('send' as const),
    arrives: fc.boolean(),
    told: fc.boolean(),
    records: fc.integer({ min: 1, max: 300 })
  }),
  fc.record({ act: fc.constant('restart' as const) })
)

test('whatever happens on the way, all arrives in order, and what comes twice has its name', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const { store, addJob } = stocked()
      const job = addJob()
      const arrived: { name: string; lines: string }[] = []
      let spool = openSpool(store, { spoolBytes: Infinity })
      let count = 0
      const send = ({ arrives, told, records }: Omit<Act & { act: 'send' }, 'act'>) => {
        const batch = spool.next(job, { records, bytes: 1_000 })
        if (batch === undefined) return false
        if (arrives) arrived.push(batch)
        // The platform may never get to know, and be killed instead.
        if (arrives && told) spool.delivered(batch, '')
        else if (told) spool.failed(batch, { at: '', because: '' })
        return true
      }
      for (const one of acts) {
        if (one.act === 'restart') spool = openSpool(store, { spoolBytes: Infinity })
        if (one.act === 'send') send(one)
        if (one.act !== 'add') continue
        const numbers = Array.from({ length: one.count }, () => ++count)
        spool.add(numbers.map((number) => ({ job, line: `${number}\n` })))
      }
      while (send({ arrives: true, told: true, records: 1_000 }));
      const byName = new Map(arrived.map(({ name, lines }) => [name, lines]))
      for (const { name, lines } of arrived) expect(byName.get(name)).toBe(lines)
      const all = Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('')
      expect([...byName.values()].join('')).toBe(all)
      expect(spool.waiting.size).toBe(0)
      store.close()
    }),
    { numRuns: 60 }
  )
})
