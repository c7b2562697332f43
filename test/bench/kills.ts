// What is left of all a platform keeps when it is killed again and again while clients use it: a
// real `plimsoll platform --data`, `kill -9` at random moments, and a judgement of every history.
// `node kills.ts [--kills 100] [--seed 1] [--clients 8]`; exits 1 when anything is wrong.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flagsOf } from '../usage.ts'
import { isWrong, tableOf } from './kills/account.ts'
import { killAgainAndAgain } from './kills/campaign.ts'
import { machine } from './machine.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '8' }
  }
})
const [kills, seed, clients] = [values.kills, values.seed, values.clients].map(Number)
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-kills-'))
const began = performance.now()
const outcomes = await killAgainAndAgain({
  ...{ folder, kills: kills!, seed: seed!, clients: clients! },
  onKill: (killed, operations) => console.error(`  kill ${killed}, ${operations} operations`)
})
const seconds = ((performance.now() - began) / 1_000).toFixed(0)
console.log(machine())
console.log(`${kills} kills, seed ${seed}, ${clients} clients, ${seconds} s\n`)
console.log(tableOf(outcomes))
for (const { name, examples } of outcomes)
  for (const example of examples) console.log(`\n${name}: ${example}`)
const isBad = outcomes.some(isWrong)
if (isBad) console.log(`\nThe data folder is left in ${folder}`)
else rmSync(folder, { recursive: true })
process.exit(isBad ? 1 : 0)
