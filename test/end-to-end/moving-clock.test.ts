import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { allowEgress, targetOf } from '../../src/cli/targets/embedded.ts'
import { type Announcement, startPlatform } from '../../src/platform/platform.ts'
import { random } from '../../src/random.ts'
import { keyTo } from '../platform/api.ts'
import { plimsollJson } from './plimsoll.ts'

const adapter = resolve(import.meta.dirname, '../../scenarios/_adapter.ts')
const dayMs = 86_400_000

type Listed = { scenario: string; alone: string[] }

/** Moves a clock by up to two minutes, and by a day now and then, until told to stop. */
async function moveForward(said: Announcement, signal: AbortSignal): Promise<number> {
  const chance = random(20)
  let moves = 0
  for (; !signal.aborted; moves++) {
    const forwardMs = moves % 20 === 19 ? dayMs : Math.floor(120_000 * chance())
    const body = JSON.stringify({ forwardMs })
    const headers = keyTo(said)
    const moved = await fetch(`${said.control}/clock`, { method: 'POST', headers, body })
    if (!moved.ok) throw new Error(`the clock was not moved: ${await moved.text()}`)
    await pause(100)
  }
  return moves
}

test('a scenario that does not keep the clock to itself bears that others move it', async () => {
  const running = await startPlatform({ port: 0, allowEgress })
  onTestFinished(() => running.close())
  const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-clock-')), 'target.json')
  const target = targetOf(running.announcement, { name: 'platform', adapter })
  writeFileSync(file, JSON.stringify(target))
  const { json: plan } = await plimsollJson('list')
  // How much of a processor work takes is the machine's to say; honest.test.ts asks that.
  const isFree = ({ scenario, alone }: Listed) =>
    !/^functions\/(cpu|startup)/.test(scenario) &&
    !alone.includes('clock') &&
    !alone.includes('everything')
  const free: string[] = plan.scenarios.filter(isFree).map(({ scenario }: Listed) => scenario)
  // Every third one: a whole run of all of them is what honest.test.ts has.
  const ids = [...new Set(free)].filter((_, index) => index % 3 === 0)

  const over = new AbortController()
  const moving = moveForward(running.announcement, over.signal)
  const { json } = await plimsollJson('run', ...ids, '--target', file)
  over.abort()
  expect(await moving).toBeGreaterThan(20)
  const unwell = json.verdicts.filter(
    ({ outcome }: { outcome: string }) => !['pass', 'observed'].includes(outcome)
  )
  expect(unwell).toEqual([])
  expect(json.verdicts.length).toBeGreaterThan(100)
}, 600_000)
