import { expect, test } from 'vitest'
import { hold, type Load, open } from '../../../src/load/load.ts'
import { createPartSender } from '../../../src/load/sender.ts'
import { expectPercentile } from '../percentile.ts'
import { createVirtualTime } from '../virtual.ts'
import { lawTransports, type StreamLaw } from './law.ts'

/** What a load of streams measures of a server whose events come by a law. */
async function measured(law: StreamLaw, load: Load) {
  const time = createVirtualTime()
  const outside = { clock: time.clock, timeline: time, transports: lawTransports(time, law) }
  const sender = createPartSender({ index: 0, count: 1 }, outside)
  const request = { url: 'http://127.0.0.1:9/', events: { tokens: true } }
  const connecting = {
    transport: 'wire' as const,
    connections: 1,
    pipelining: 1,
    timeoutMs: 60_000
  }
  await sender.open([{ request, ...connecting }])
  const { tally } = await time.during(sender.trial(0, { load, seed: 1, stopped: () => false }))
  sender.close()
  return tally
}

test('percentiles of first events, of gaps and of the whole are those of the law', async () => {
  // First events after 20 to 69 ms, then gaps of 5 to 14 ms; ten events a stream.
  const law: StreamLaw = (n) => {
    const moments = [20 + ((n * 7) % 50)]
    for (let k = 1; k < 10; k++) moments.push(moments.at(-1)! + 5 + ((n + k * 3) % 10))
    return moments
  }
  const count = 400
  // As many a second as leave each its connection to itself.
  const load = { ...open(hold({ rate: 4, seconds: count / 4 })), connections: 1 }
  const { own, response, service } = await measured(law, load)
  const streams = Array.from({ length: count }, (_, n) => law(n))
  const gaps = streams.flatMap((all) => all.slice(1).map((at, k) => at - all[k]!))
  expect(own!.events!.sum).toBe(4_000)
  expect(own!.tokens!.sum).toBe(4_000)
  for (const percent of [50, 90, 99]) {
    const firsts = streams.map(([first]) => first!)
    expectPercentile(own!.firstEvent!.values!, percent, firsts)
    expectPercentile(own!['firstEvent.service']!.values!, percent, firsts)
    expectPercentile(own!.eventGap!.values!, percent, gaps)
    const rates = streams.map((all) => 9_000 / (all.at(-1)! - all[0]!))
    expectPercentile(own!.tokenRate!.values!, percent, rates)
    const wholes = streams.map((all) => all.at(-1)!)
    expectPercentile(response, percent, wholes)
    expectPercentile(service, percent, wholes)
  }
})

test('a server that stands still is seen from due moments, and once from sends', async () => {
  // One stream stands still for a second; those due meanwhile wait for the one connection.
  const law: StreamLaw = (n) => (n === 50 ? [1_000, 1_001] : [10, 11])
  const load = { ...open(hold({ rate: 20, seconds: 10 })), connections: 1 }
  const { own } = await measured(law, load)
  const sentAt: number[] = []
  let free = 0
  for (let n = 0; n < 200; n++) {
    sentAt.push(Math.max(n * 50, free))
    free = sentAt[n]! + law(n).at(-1)!
  }
  const fromDue = sentAt.map((sent, n) => sent + law(n)[0]! - n * 50)
  const fromSent = Array.from({ length: 200 }, (_, n) => law(n)[0]!)
  for (const percent of [50, 90, 99]) {
    expectPercentile(own!.firstEvent!.values!, percent, fromDue)
    expectPercentile(own!['firstEvent.service']!.values!, percent, fromSent)
  }
  expect(fromDue.filter((ms) => ms > 100).length).toBeGreaterThan(20)
})
