import { expect, test } from 'vitest'
import { edge } from '../../../../src/platform/edge/edge.ts'
import { openFunctions } from '../../../../src/platform/functions/functions.ts'
import { createEgress } from '../../../../src/platform/kernel/egress/egress.ts'
import { listen } from '../../../../src/platform/kernel/http/listener.ts'
import { override } from '../../../../src/platform/kernel/override.ts'
import { seed } from '../../../../src/platform/kernel/seed.ts'
import { openStore } from '../../../../src/platform/kernel/store.ts'
import { type Rules, rules } from '../../../../src/platform/rules.ts'
import { head, talk } from '../../wire.ts'

test('a zone takes so many reports at a time, whatever other zones get', async () => {
  const store = openStore()
  seed(store, rules.zoneId)
  let now = 0
  const time = { now: () => now, forward: (ms: number) => (now += ms) }
  const scaled = override<Rules>(rules, { limits: { reportRate: { burst: 3, perSecond: 1 } } })
  const at = { host: '127.0.0.1', port: 0 }
  const logs = { record: async () => {} }
  const parts = { rules: scaled, store, time, logs }
  const functions = openFunctions({ ...parts, egress: createEgress() })
  const { url, close } = await listen(edge({ ...parts, functions }), at)
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
