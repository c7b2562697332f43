import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { start } from './plimsoll.ts'

// A Python that somebody put before that of Debian has none of its packages.
const python = '/usr/bin/python3'

/** Pets by FastAPI, of which some limits are moved. */
async function pets(moved: readonly string[] = []) {
  const child = spawn(python, ['test/openapi/servers/pets.py', ...moved])
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const closed = once(child, 'close')
  const [said] = await Promise.race([once(child.stdout, 'data'), closed])
  const url = `http://127.0.0.1:${String(said).trim()}`
  // It says its port before it listens.
  for (let tries = 0; tries < 200; tries++) {
    const isUp = await fetch(`${url}/openapi.json`).then(
      ({ ok }) => ok,
      () => false
    )
    if (isUp) break
    if (child.exitCode !== null) throw new Error(complaint)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill()
      await closed
    }
  }
}

const home = mkdtempSync(join(tmpdir(), 'plimsoll-fastapi-'))
const run = (...args: string[]) => start(args, { cwd: home }).ended

/** What each clause came to, of a service at this place. */
async function outcomes(url: string): Promise<Record<string, string>> {
  const place = join(home, 'limits', 'target.json')
  const target = JSON.parse(readFileSync(place, 'utf8'))
  target.endpoints.service.url = url
  writeFileSync(place, JSON.stringify(target))
  const { verdicts } = JSON.parse((await run('run', '--json')).stdout)
  // A clause that two scenarios ask about holds where it does in both.
  const pass = (one: any) => one.outcome === 'pass'
  const last = [...verdicts.filter(pass), ...verdicts.filter((one: any) => !pass(one))]
  return Object.fromEntries(last.map((one: any) => [one.clause, one.outcome]))
}

test('what FastAPI says of itself holds of it, and falls exactly where it is moved', async () => {
  {
    await using honest = await pets()
    const source = `${honest.url}/openapi.json`
    expect((await run('init', source, '--target', honest.url)).code).toBe(0)
    const all = Object.entries(await outcomes(honest.url))
    expect(all.filter(([, outcome]) => outcome !== 'pass')).toEqual([])
    expect(all.length).toBeGreaterThan(30)
  }
  await using moved = await pets(['name=41', 'weight=0.55', 'tags=4', 'page=2', 'id=2'])
  const fallen = Object.entries(await outcomes(moved.url)).filter(
    ([, outcome]) => outcome !== 'pass'
  )
  expect(fallen.toSorted()).toEqual([
    ['create-pet.body.name.max-length', 'fail'],
    ['create-pet.body.tags.max-items', 'fail'],
    ['create-pet.body.weight.maximum', 'fail'],
    ['get-pet.path.pet-id.minimum', 'fail'],
    ['list-pets.query.page.minimum', 'fail']
  ])
}, 120_000)
