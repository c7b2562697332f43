import { expect, test } from 'vitest'
import { listen } from '../../../../src/platform/kernel/http/listener.ts'
import { override } from '../../../../src/platform/kernel/override.ts'
import { type Rules, rules } from '../../../../src/platform/parts.ts'
import { seeded, serviceOf } from '../../opened.ts'
import { openStore } from '../../store.ts'
import { head, talk } from '../../wire.ts'

test('a zone takes so many reports at a time, whatever other zones get', async () => {
  const store = openStore()
  seeded(store)
  let now = 0
  const time = { now: () => now, forward: (ms: number) => (now += ms) }
  const scaled = override<Rules>(rules, {
    pageProtection: { limits: { reportRate: { burst: 3, perSecond: 1 } } }
  })
  const at = { host: '127.0.0.1', port: 0 }
  const parts = { rules: scaled, store, time }
  const { url, close } = await listen(serviceOf('edge', parts), at)
  const post = async (zone: string) => {
    const body = `{"csp-report":{"document-uri":"http://${zone}.zones.test/","blocked-uri":"x"}}`
    const type = 'Content-Type: application/csp-report'
    const lines = [`Host: ${zone}.zones.test`, type, 'Connection: close']
    const ask = head(
      'POST /cdn-cgi/script_monitor/report',
      ...lines,
      `Content-Length: ${body.length}`
    )
    return (await talk(url, [ask, body])).statuses[0]
  }
  const statuses: unknown[] = []
  for (const zone of ['free', 'free', 'free', 'free', 'pro', 'free'])
    statuses.push(await post(zone))
  time.forward(1_000)
  for (const zone of ['free', 'free']) statuses.push(await post(zone))
  expect(statuses).toEqual([204, 204, 204, 429, 204, 429, 204, 429])
  await close()
})
