import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { api } from '../api.ts'

let running: Platform
let call: ReturnType<typeof api>
let path: string
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  call = api(running.announcement)
  path = `/zones/${running.announcement.zones.free}/page_shield`
})
afterAll(() => running.close())

const put = (body: object) => call('PUT', path, { body })

test('reading returns four fields, updating two', async () => {
  const { result } = (await call('GET', path)).json
  expect(result).toEqual({
    enabled: true,
    updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    use_service_reporting_endpoint: true,
    use_connection_url_path: false
  })
  expect(Object.keys((await put({ enabled: true })).json.result)).toEqual(['enabled', 'updated_at'])
})

test('each update is later than the one before, however close they are', async () => {
  const times: string[] = []
  for (const enabled of [false, true, true, false, false, true]) {
    const { result } = (await put({ enabled })).json
    expect(result.enabled).toBe(enabled)
    expect((await call('GET', path)).json.result).toMatchObject(result)
    times.push(result.updated_at)
  }
  expect(times).toEqual([...new Set(times)].sort())
})

test('a zone is turned off, and no other', async () => {
  const other = `/zones/${running.announcement.zones.pro}/page_shield`
  const before = (await call('GET', other)).json
  await put({ enabled: false })
  expect((await call('GET', other)).json).toEqual(before)
})

test('the other fields can be changed as well', async () => {
  await put({ enabled: true, use_connection_url_path: true })
  expect((await call('GET', path)).json.result).toMatchObject({
    use_connection_url_path: true,
    use_service_reporting_endpoint: true
  })
})

test.each([
  [{}, 'enabled: '],
  [{ enabled: 'true' }, 'enabled: '],
  [{ enabled: 1 }, 'enabled: '],
  [{ enabled: null }, 'enabled: '],
  [{ enabled: true, use_connection_url_path: 'no' }, 'use_connection_url_path: ']
])('%j is refused and changes nothing', async (body, because) => {
  const before = (await call('GET', path)).json
  const { status, json } = await put(body)
  expect([status, json.success, json.result]).toEqual([400, false, null])
  expect(json.errors[0].message).toContain(because)
  expect((await call('GET', path)).json).toEqual(before)
})
