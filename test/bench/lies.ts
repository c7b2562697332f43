// Whether `probe --claims` and `--race` tell nine planted lies of headers from their honest twins,
// and accuse none of four honest limiters that fill all the time, on real servers. Exit 1 where a
// lie is not told by its field, or an honest server is accused.
// `node lies.ts [--seed 1] [--only race] [--together 3]`
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import PQueue from 'p-queue'
import type { ClaimFinding } from '../../src/limit/claims/row.ts'
import { random } from '../../src/random.ts'
import { flagsOf } from '../usage.ts'
import { type Lying, startLying } from './lying-servers.ts'
import { machine } from './machine.ts'
import type { Programs } from './probed-programs.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    together: { type: 'string', default: '3' }
  }
})
const launch = new URL('../../src/launch.js', import.meta.url).pathname

type Told = { claims: ClaimFinding[]; code: number }

async function ask({ url, isRaced }: Lying): Promise<Told> {
  const race = isRaced ? ['--race'] : []
  const args = [launch, 'probe', url, '--claims', ...race, '--json', '--time', '3m']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  try {
    return { claims: JSON.parse(printed).claims ?? [], code }
  } catch {
    return { claims: [], code }
  }
}

/** A lie is told by its field; of an honest server something is true, and nothing is false. */
function isRight({ lie }: Lying, { claims, code }: Told): boolean {
  const isSo = (verdict: string) => (one: ClaimFinding) => one.verdict === verdict
  if (lie !== undefined)
    return code === 1 && claims.some((one) => lie.includes(one.field) && isSo('false')(one))
  return code === 0 && claims.some(isSo('true')) && !claims.some(isSo('false'))
}

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-lying-'))
// Servers that were started as root read it as somebody else.
chmodSync(folder, 0o755)
const programs: Programs = { folder, stops: [] }
const counts = { right: 0, WRONG: 0 }
console.log(`${machine()}; seed ${values.seed}, ${values.together} together`)
try {
  const lying = await startLying(random(Number(values.seed), 'lying'), programs)
  const queue = new PQueue({ concurrency: Number(values.together) })
  for (const one of lying.filter(({ name }) => name.includes(values.only))) {
    void queue.add(async () => {
      const begun = performance.now()
      const told = await ask(one)
      const judgement = isRight(one, told) ? 'right' : 'WRONG'
      counts[judgement]++
      const seconds = ((performance.now() - begun) / 1_000).toFixed(0)
      console.log(`${judgement}  ${seconds.padStart(4)} s  ${one.name}`)
      for (const { field, verdict, because } of told.claims) {
        if (verdict === 'false' || judgement === 'WRONG') {
          console.log(`${''.padEnd(15)}${field} ${verdict}: ${because}`)
        }
      }
    })
  }
  await queue.onIdle()
} finally {
  for (const stop of programs.stops.reverse()) await stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${counts.right} right, ${counts.WRONG} wrong`)
console.log(`load average at the end: ${loadavg().map((load) => load.toFixed(1))}`)
if (counts.WRONG > 0) process.exitCode = 1
