import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '../../../src/platform/page-protection/detection.ts'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { api } from '../api.ts'

let running: Platform
let call: ReturnType<typeof api>
let zone: string
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  call = api(running.announcement)
  zone = `/zones/${running.announcement.zones.business}/page_shield`
})
afterAll(() => running.close())

describe.each(kinds)('$path', ({ path, fields, single, hidden }) => {
  const names = Object.keys(fields)
  const list = (query = '') => call('GET', `${zone}/${path}${query}`)

  test('only active ones are listed unless a status is asked for', async () => {
    expect((await list()).json.result_info.total_count).toBe(48)
    expect((await list('?status=active')).json.result_info.total_count).toBe(48)
    expect((await list('?status=infrequent')).json.result_info.total_count).toBe(12)
    expect((await list('?status=active,%20infrequent')).json.result_info.total_count).toBe(60)
    expect((await list('?status=')).json.result_info.total_count).toBe(48)
    expect((await list('?status=other')).json.result).toEqual([])
  })

  test('hosts filters by whole host names, in any case', async () => {
    const { host } = (await list()).json.result[0]
    const only = (await list(`?hosts=${host.toUpperCase()}&per_page=100`)).json.result
    expect(only).toHaveLength(16)
    expect(new Set(only.map((one: any) => one.host))).toEqual(new Set([host]))
    const two = await list(`?hosts=${host},shop.${host}`)
    expect(two.json.result_info.total_count).toBe(32)
    expect((await list('?hosts=zones.test')).json.result).toEqual([])
  })

  test('the pages together are the list, and each says where it stands', async () => {
    const whole = (await list('?per_page=100')).json.result
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) => list(`?per_page=11&page=${page}`))
    )
    expect(pages.flatMap(({ json }) => json.result)).toEqual(whole)
    expect(pages.map(({ json }) => json.result_info)).toEqual(
      [11, 11, 11, 11, 4].map((count, index) => ({
        page: index + 1,
        per_page: 11,
        count,
        total_count: 48,
        total_pages: 5
      }))
    )
    const past = (await list('?per_page=11&page=6')).json
    expect(past).toMatchObject({ result: [], result_info: { page: 6, count: 0, total_pages: 5 } })
  })

  test('a list shows every field but those of the single read', async () => {
    const shown = new Set(
      (await list('?per_page=100')).json.result.flatMap((one: object) => Object.keys(one))
    )
    const expected = names.filter((name) => ![...single, ...hidden].includes(name))
    expect([...shown].sort()).toEqual(expected.sort())
  })

  test('a single read shows the same, and the fields of its own', async () => {
    for (const item of (await list('?status=infrequent')).json.result) {
      const { json } = await call('GET', `${zone}/${path}/${item.id.toUpperCase()}`)
      expect(json.result).toMatchObject(item)
      expect(json).not.toHaveProperty('result_info')
      const added = Object.keys(json.result).filter((name) => !(name in item))
      expect(added.sort()).toEqual([...single].sort())
    }
  })

  test('what is not there is not found, in another zone neither', async () => {
    const [{ id }] = (await list()).json.result
    const other = `/zones/${running.announcement.zones.pro}/page_shield/${path}/${id}`
    for (const at of [`${zone}/${path}/abc`, other]) {
      const { status, json } = await call('GET', at)
      expect([status, json.success, json.errors[0].code]).toEqual([404, false, 7_003])
    }
  })
})

test('categories are there exactly when something is reported', async () => {
  const { result } = (await call('GET', `${zone}/scripts?per_page=100`)).json
  for (const script of result) {
    expect('malicious_domain_categories' in script).toBe(script.domain_reported_malicious)
    expect('malicious_url_categories' in script).toBe(script.url_reported_malicious)
  }
})
