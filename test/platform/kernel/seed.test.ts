import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { api } from '../api.ts'

let running: Platform
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
})
afterAll(() => running.close())

/** Every detection of a kind in a zone, whatever its status. */
async function everything(zone: string, kind: string): Promise<any[]> {
  const call = api(running.announcement)
  const path = `/zones/${running.announcement.zones[zone]}/page_shield/${kind}`
  return (await call('GET', `${path}?per_page=100&status=active,infrequent`)).json.result
}

describe.each(['free', 'pro', 'business', 'enterprise', 'ineligible'])('zone %s', (zone) => {
  test.each(['scripts', 'connections', 'cookies'])(
    'has pages of %s on several hosts',
    async (kind) => {
      const call = api(running.announcement)
      const path = `/zones/${running.announcement.zones[zone]}/page_shield/${kind}`
      const { total_pages } = (await call('GET', path)).json.result_info
      expect(total_pages).toBeGreaterThan(2)
      const all = await everything(zone, kind)
      const shown = (await call('GET', `${path}?per_page=100`)).json.result
      expect(shown.length).toBeLessThan(all.length)
      const hosts = new Set(all.map(({ host }) => host))
      expect(hosts.size).toBe(3)
      const rare = (await call('GET', `${path}?per_page=100&status=infrequent`)).json.result
      for (const host of hosts) {
        expect(shown.some((one: any) => one.host === host)).toBe(true)
        expect(rare.some((one: any) => one.host === host)).toBe(true)
      }
    }
  )
})

test.each(['scripts', 'connections'])('%s are malicious in every way there is', async (kind) => {
  const ways = (await everything('free', kind)).map(
    (one) => `${one.domain_reported_malicious} ${one.url_reported_malicious}`
  )
  expect(new Set(ways)).toEqual(new Set(['true false', 'false true', 'true true', 'false false']))
})

test('scripts have scores around the threshold', async () => {
  const scores = (await everything('free', 'scripts')).map((one) => one.js_integrity_score)
  expect(scores).toEqual(expect.arrayContaining([49, 50, 51]))
})

test('every platform is seeded alike', async () => {
  const other = await startPlatform({ port: 0 })
  const path = `/zones/${other.announcement.zones.pro}/page_shield/scripts?per_page=100`
  const [one, another] = [api(running.announcement), api(other.announcement)]
  expect((await one('GET', path)).json).toEqual((await another('GET', path)).json)
  await other.close()
})
