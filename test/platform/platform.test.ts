import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Announcement, type Platform, startPlatform } from '../../src/platform/platform.ts'
import { freePorts, squatter } from '../free-ports.ts'
import { keyTo } from './api.ts'

let running: Platform
let said: Announcement
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  said = running.announcement
})
afterAll(() => running.close())

const portOf = (url: string) => Number(new URL(url).port)
const listeners = ['management', 'gateway', 'edge', 'control'] as const

/** Starts a platform, looks at what it announces, and closes it again. */
async function glimpse(options: Parameters<typeof startPlatform>[0]) {
  const platform = await startPlatform(options)
  await platform.close()
  return { ...platform.announcement, moved: platform.moved }
}

test('the announcement has everything a client needs, as plain JSON', () => {
  expect(JSON.parse(JSON.stringify(said))).toEqual(said)
  expect(said.management).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/client\/v4$/)
  const plans = ['free', 'pro', 'business', 'enterprise', 'ineligible']
  expect(Object.keys(said.zones)).toEqual(plans)
  expect(Object.keys(said.hosts)).toEqual(plans)
  for (const id of Object.values(said.zones)) expect(id).toMatch(/^[0-9a-f]{32}$/)
  const secrets = [said.token, said.readOnlyToken, said.noPermissionToken, said.apiKey]
  expect(new Set(secrets).size).toBe(4)
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{40}$/)
  expect(said.email).toContain('@')
})

/** How each listener says, in its own way, that nothing is at its root. */
const nothingHere = {
  management: /"success":false/,
  gateway: /"jsonrpc":"2\.0"/,
  edge: /^<!doctype html>/,
  control: /^\{"error":/
}

test.each(listeners)('%s answers as soon as it is announced', async (name) => {
  const response = await fetch(said[name], { headers: keyTo(said) })
  expect(response.status).toBe(404)
  expect(await response.text()).toMatch(nothingHere[name])
})

test('two platforms have the same zones and different secrets', async () => {
  const other = await glimpse({ port: 0 })
  expect(other.zones).toEqual(said.zones)
  expect(other.token).not.toBe(said.token)
})

test('the other listeners follow the port, or take any when it is taken, and say so', async () => {
  const port = await freePorts(4)
  const taken = await squatter(port + 2)
  const other = await glimpse({ port })
  await taken.close()
  expect(portOf(other.management)).toBe(port)
  expect(portOf(other.gateway)).toBe(port + 1)
  expect(portOf(other.edge)).not.toBe(port + 2)
  expect(portOf(other.control)).toBe(port + 3)
  expect(other.moved).toEqual([`Port ${port + 2} is taken: the edge is at ${other.edge}.`])
  expect((await glimpse({ port })).moved).toEqual([])
  expect((await glimpse({ port: 0 })).moved).toEqual([])
})

test('a port of its own that is taken is an error, and leaves nothing open', async () => {
  await expect(startPlatform({ port: portOf(said.management) })).rejects.toThrow(
    `port ${portOf(said.management)} is taken (EADDRINUSE)`
  )
})

test('a port that there cannot be is an error that says which there are', async () => {
  await expect(startPlatform({ port: 80_000 })).rejects.toThrow('there are ports from 1 to 65535')
})

test('a closed platform answers no more', async () => {
  const { management } = await glimpse({ port: 0 })
  await expect(fetch(management)).rejects.toThrow()
})

test('an unknown mutant is an error that names the nearest', async () => {
  await expect(startPlatform({ port: 0, break: 'url-lenght-unlimitd' })).rejects.toThrow(
    /no mutant is named url-lenght-unlimitd; the nearest are url-length-unlimited, /
  )
})

test('an address that is not of this machine is an error', async () => {
  await expect(startPlatform({ host: '192.0.2.1', port: 0 })).rejects.toThrow('EADDRNOTAVAIL')
})
