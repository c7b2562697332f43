import { afterAll, beforeAll, expect, test } from 'vitest'
import { logpushLimits } from '../../../src/platform/logpush/limits.ts'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { api, door } from '../api.ts'

let running: Platform
let call: ReturnType<typeof api>
let path: string
beforeAll(async () => {
  running = await startPlatform({ port: 0, allowEgress: ['127.0.0.1:*'] })
  call = api(running.announcement)
  path = `/zones/${running.announcement.zones.free}/logpush/jobs`
})
afterAll(() => running.close())

const filter = '{"where":{"key":"ClientRequestMethod","operator":"eq","value":"GET"}}'
const job = {
  name: 'all of it',
  dataset: 'http_requests',
  output_options: {
    field_names: ['ClientIP', 'EdgeStartTimestamp'],
    sample_rate: 0.5,
    timestamp_format: 'rfc3339',
    'CVE-2021-44228': 'true'
  },
  filter,
  destination_conf: 's3://bucket/logs?region=us-west-2'
}
const progress = { last_complete: null, last_error: null, error_message: null, records_lost: 0 }
const create = async (body: object = job) => (await call('POST', path, { body })).json.result

test('a job is created, read, changed, listed and deleted', async () => {
  const one = await create()
  expect(one).toEqual({ id: expect.any(Number), ...job, enabled: true, ...progress })
  const least = { dataset: 'firewall_events', destination_conf: 'https://logs.test/in' }
  const other = await create(least)
  const usual = { name: '', enabled: true, filter: null, output_options: {} }
  expect(other).toEqual({ id: expect.any(Number), ...usual, ...least, ...progress })
  expect((await call('GET', `${path}/${one.id}`)).json.result).toEqual(one)
  expect((await call('GET', path)).json.result).toEqual([one, other])

  const body = { enabled: false, filter: null }
  const changed = await call('PUT', `${path}/${one.id}`, { body })
  expect(changed.json.result).toEqual({ ...one, ...body })
  expect((await call('GET', path)).json.result).toEqual([{ ...one, ...body }, other])

  const deleted = await call('DELETE', `${path}/${one.id}`)
  expect(deleted.json.result).toEqual({ id: one.id })
  expect((await call('GET', `${path}/${one.id}`)).status).toBe(404)
  expect((await call('DELETE', `${path}/${one.id}`)).status).toBe(404)
  expect((await call('GET', path)).json.result).toEqual([other])
})

test.each([true, false, 'true', 'false'])('CVE-2021-44228 comes back as %j', async (option) => {
  const { output_options } = await create({ ...job, output_options: { 'CVE-2021-44228': option } })
  expect(output_options).toEqual({ 'CVE-2021-44228': option })
})

const option = (name: string, value: unknown) => ({
  output_options: { ...job.output_options, [name]: value }
})
test.each([
  [{ name: 1 }, 'name:'],
  [{ dataset: undefined }, 'dataset:'],
  [{ dataset: 'http' }, 'dataset: must be one of http_requests, firewall_events'],
  [{ enabled: 'true' }, 'enabled:'],
  [{ output_options: 'all' }, 'output_options:'],
  [option('field_names', 'ClientIP'), 'output_options.field_names:'],
  [option('field_names', []), 'output_options.field_names: must name a field'],
  [
    option('field_names', ['RayID', 'ClientIp']),
    'output_options.field_names.1: http_requests has no field ClientIp; the nearest are ClientIP,'
  ],
  [option('field_names', ['Datetime']), 'output_options.field_names.0: http_requests has no field'],
  [option('field_names', ['toString']), 'output_options.field_names.0: http_requests has no field'],
  [option('field_names', ['RayID', 'RayID']), 'field_names.1: RayID is there twice'],
  [option('sample_rate', '1'), 'output_options.sample_rate:'],
  [option('sample_rate', 0), 'output_options.sample_rate: must be above 0'],
  [option('sample_rate', 1.1), 'output_options.sample_rate: must be 1 at most'],
  [option('timestamp_format', 'iso'), 'output_options.timestamp_format: must be one of unixnano'],
  [option('CVE-2021-44228', 'yes'), 'CVE-2021-44228: must be a boolean or its string form'],
  [{ filter: { where: {} } }, 'filter:'],
  [{ filter: '{}' }, 'filter: it must be an object with the key where'],
  [{ destination_conf: undefined }, 'destination_conf:'],
  [{ destination_conf: 'logs' }, 'destination_conf: must begin with'],
  [{ max_upload_records: 0 }, 'max_upload_records:'],
  [{ max_upload_interval_seconds: 301 }, 'max_upload_interval_seconds:']
])('a job with %j is refused', async (change, because) => {
  const refused = await call('POST', path, { body: { ...job, ...change } })
  expect([refused.status, refused.json.success, refused.json.result]).toEqual([400, false, null])
  expect(refused.json.errors[0].message).toContain(because)
})

test('a change is checked as a whole, and cannot be of the dataset', async () => {
  const { id } = await create()
  const change = async (body: object) => (await call('PUT', `${path}/${id}`, { body })).json
  const moved = await change({ dataset: 'firewall_events' })
  expect(moved.errors[0].message).toBe('dataset: cannot be changed')
  const strange = await change({ output_options: { field_names: ['Datetime'] } })
  expect(strange.errors[0].message).toContain('has no field Datetime')
  expect((await call('GET', `${path}/${id}`)).json.result).toMatchObject(job)
})

test('a job belongs to its zone, and a zone has only so many', async () => {
  const { json: zone } = await door(running.announcement)('POST', '/zones', { plan: 'pro' })
  const jobs = `/zones/${zone.id}/logpush/jobs`
  const { id } = await create()
  expect((await call('GET', `${jobs}/${id}`)).status).toBe(404)
  expect((await call('GET', `${jobs}/abc`)).status).toBe(404)
  const most = logpushLimits.jobs
  for (let count = 0; count < most; count++)
    expect((await call('POST', jobs, { body: job })).status).toBe(200)
  const more = await call('POST', jobs, { body: job })
  expect([more.status, more.json.errors[0].message]).toEqual([
    400,
    `a zone has ${most} jobs at most`
  ])
})

test('the fields of a dataset are told, and those of no other', async () => {
  const about = (dataset: string) => call('GET', path.replace('jobs', `datasets/${dataset}/fields`))
  const { result } = (await about('http_requests')).json
  expect(result).toMatchObject({ ClientIP: 'text', EdgeResponseStatus: 'integer' })
  const names = Object.keys(result)
  const whole = await create({ ...job, output_options: { field_names: names } })
  expect(whole.output_options.field_names).toEqual(names)
  expect((await about('http')).status).toBe(404)
})

test('jobs may be read with one permission, and changed with another', async () => {
  const { readOnlyToken, noPermissionToken, email, apiKey } = running.announcement
  const { id } = await create()
  const ask = async (method: string, who: Record<string, string>) => {
    const headers = { ...who, 'content-type': 'application/json' }
    const body = method === 'PUT' ? {} : undefined
    return (await call(method, `${path}/${id}`, { headers, body })).status
  }
  const reader = { authorization: `Bearer ${readOnlyToken}` }
  const nobody = { authorization: `Bearer ${noPermissionToken}` }
  const pair = { 'x-auth-email': email, 'x-auth-key': apiKey }
  expect(await Promise.all([ask('GET', reader), ask('PUT', reader)])).toEqual([200, 403])
  expect(await Promise.all([ask('GET', nobody), ask('PUT', nobody)])).toEqual([403, 403])
  expect(await Promise.all([ask('GET', pair), ask('PUT', pair)])).toEqual([200, 200])
})
