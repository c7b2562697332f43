// One long stretch at a rate, as a process of its own, that tells its memory now and then:
// `node sustained.ts <url> <connections> <arrivals a second> <seconds> <seconds between tellings>`.

import { mergeShares } from '../../src/load/figures/result.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { hold, open } from '../../src/load/load.ts'
import { sendPart } from '../load/ask.ts'

const url = process.argv[2]!
const [connections, rate, seconds, every] = process.argv.slice(3).map(Number) as [
  number,
  number,
  number,
  number
]

const began = performance.now()
const tell = () => {
  const { rss, heapUsed, external } = process.memoryUsage()
  const atSeconds = Math.round((performance.now() - began) / 1_000)
  console.log(JSON.stringify({ atSeconds, rss, heapUsed, external }))
}
const timer = setInterval(tell, every * 1_000)
const share = await sendPart({ url }, { ...open(hold({ rate, seconds })), connections })
clearInterval(timer)
tell()
console.log(JSON.stringify(summary(mergeShares([share]))))
