import { expect, test } from 'vitest'
import { clock } from '../../src/clock.ts'
import { createRig, type RigEngine } from '../../src/engine/rig.ts'
import { closed, hold, type Load, open } from '../../src/load/load.ts'
import { mergeShares } from '../../src/load/result.ts'
import { summary } from '../../src/load/summary.ts'
import { answer, listen } from '../load/server.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

async function rigFor(url: string, options: { engine?: RigEngine; stopped?: () => boolean } = {}) {
  const { engine = 'wire', stopped = () => false } = options
  const rig = createRig(
    {
      ...{ engine, connections: 2, pipelining: 1, timeoutMs: 500, verifyTls: true },
      requests: [{ url }],
      share: { index: 0, count: 1 }
    },
    stopped
  )
  await rig.open()
  const ask = async (load: Load) => {
    const share = await rig.trial({ load, seed: 1, startAt: clock.now() + 5 })
    return summary(mergeShares([share]))
  }
  return { ask, close: rig.close }
}

const loads: [string, Load][] = [
  ['closed', { ...closed({ connections: 2, iterations: 20, seconds: 1 }) }],
  ['open', { ...open(hold({ rate: 200, seconds: 0.1 })), connections: 2 }]
]

test.each(loads)('%s trials share the connections, and nothing else', async (_, load) => {
  const { url, accepted } = await listen(answer(ok))
  const { ask, close } = await rigFor(url)
  const found = [await ask(load), await ask(load), await ask(load)]
  close()
  expect(found.map(({ requests }) => requests)).toEqual([20, 20, 20])
  expect(found.map(({ statuses }) => statuses)).toEqual(Array(3).fill({ 200: 20 }))
  expect(accepted()).toBe(2)
  for (const { response } of found) expect(response.max).toBeGreaterThan(0)
})

test('undici keeps its connections as well', async () => {
  const { url, accepted } = await listen(answer(ok))
  const { ask, close } = await rigFor(url, { engine: 'undici' })
  await ask(loads[0]![1])
  expect((await ask(loads[0]![1])).statuses).toEqual({ 200: 20 })
  close()
  expect(accepted()).toBe(2)
})

test('what one trial leaves unfinished is not counted in the next', async () => {
  let held = true
  const { url } = await listen((socket, _, before) => {
    if (!held || before > 0) socket.write(ok)
    else setTimeout(() => socket.write(ok), 150)
  })
  let stop = false
  const { ask, close } = await rigFor(url, { stopped: () => stop })
  setTimeout(() => {
    stop = true
  }, 50)
  const first = await ask(closed({ connections: 2, seconds: 1 }))
  held = false
  stop = false
  const second = await ask(closed({ connections: 2, iterations: 10, seconds: 1 }))
  close()
  expect(first).toMatchObject({ requests: 0, unfinished: 2 })
  expect(second).toMatchObject({ requests: 10, begun: 10 })
})

test('an answer that comes when its trial is over is heard by nobody', async () => {
  const late = Promise.withResolvers<void>()
  let sent = 0
  const { url } = await listen((socket) => {
    setTimeout(() => {
      socket.write(ok)
      if (++sent === 2) setTimeout(late.resolve, 50)
    }, 150)
  })
  let stop = false
  const { ask, close } = await rigFor(url, { stopped: () => stop })
  setTimeout(() => {
    stop = true
  }, 50)
  expect(await ask(closed({ connections: 2, seconds: 1 }))).toMatchObject({ unfinished: 2 })
  // Whatever an answer stumbled over would be an uncaught exception by now.
  await late.promise
  close()
})
