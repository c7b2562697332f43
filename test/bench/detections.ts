// How long a page of a list takes with 100,000 detections in its zone, beside a zone with 1,000:
// over HTTP, one request after the other, on a platform in a process of its own.
// `node detections.ts [how often]`
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Announcement } from '../../src/platform/platform.ts'
import { keyTo } from '../platform/api.ts'
import { numbersOf } from '../usage.ts'
import { machine } from './machine.ts'
import { spreadOf, spreadText } from './spread.ts'

const sizes = { small: 1_000, large: 100_000 }
const perPost = 1_000
const [repeats] = numbersOf(import.meta.url, [200])

/** What the project sets itself: a page, filtered or not, within a few milliseconds. */
const goalMs = 5

/** A fifth of the detections are infrequent; four hosts take turns. */
const detection = (number: number) => ({
  id: number.toString(16),
  url: `https://third-party.test/${number}.js`,
  host: `h${number % 4}.a.test`,
  status: number % 5 === 4 ? 'infrequent' : 'active'
})

const child = fork(resolve(import.meta.dirname, '../platform/program.ts'))
const [{ announcement }] = (await once(child, 'message')) as [{ announcement: Announcement }]
const { management, control, token } = announcement

async function ask(url: string, body?: object): Promise<any> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: url.startsWith(control) ? keyTo(announcement) : { authorization: `Bearer ${token}` },
    body: body && JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function filled(count: number): Promise<string> {
  const { id } = await ask(`${control}/zones`, { plan: 'enterprise' })
  for (let begun = 0; begun < count; begun += perPost) {
    const scripts = Array.from({ length: perPost }, (_, index) => detection(begun + index))
    await ask(`${control}/zones/${id}/detections`, { scripts })
  }
  return id
}

/** How long each of the repeats of a read took, in milliseconds. */
async function timesMs(zone: string, query: string): Promise<number[]> {
  const times: number[] = []
  for (let repeat = -10; repeat < repeats; repeat++) {
    const began = performance.now()
    await ask(`${management}/zones/${zone}/page_shield/scripts${query}`)
    if (repeat >= 0) times.push(performance.now() - began)
  }
  return times
}

async function peakMiB(): Promise<number> {
  child.send('how much?')
  return (await once(child, 'message'))[0].peakKiB / 1_024
}

const lastPage = (count: number) => Math.ceil((count * 0.8) / 100)
const reads: Record<string, (count: number) => string> = {
  'one script': () => '/3e7',
  'first page': () => '?per_page=100',
  // The one that most has to be skipped for, from whichever end.
  'middle page': (count) => `?per_page=100&page=${lastPage(count) / 2}`,
  'last page': (count) => `?per_page=100&page=${lastPage(count)}`,
  'a status': () => '?per_page=100&status=infrequent',
  'two statuses': () => '?per_page=100&status=active,infrequent',
  'middle of two': (count) => `?per_page=100&page=${lastPage(count) / 2}&status=active,infrequent`,
  'a host': () => '?per_page=100&hosts=h1.a.test',
  'two hosts': () => '?per_page=100&hosts=h1.a.test,h3.a.test',
  'a host and a status': () => '?per_page=100&hosts=h0.a.test&status=infrequent'
}

console.log(machine())
const beforeMiB = await peakMiB()
const small = await filled(sizes.small)
const large = await filled(sizes.large)
console.log(`\n${repeats} reads each, in milliseconds: median (lowest … highest)`)
console.log('read                 1,000 detections         100,000 detections       ratio  95 %')
for (const [name, query] of Object.entries(reads)) {
  const few = await timesMs(small, query(sizes.small))
  const many = await timesMs(large, query(sizes.large))
  const ratio = spreadOf(many).median / spreadOf(few).median
  const p95 = many.sort((one, other) => one - other)[Math.floor(many.length * 0.95)]!
  console.log(
    name.padEnd(21) +
      spreadText(spreadOf(few), 2).padEnd(25) +
      spreadText(spreadOf(many), 2).padEnd(25) +
      `${ratio.toFixed(2).padEnd(7)}${p95.toFixed(2)}  ` +
      `goal ${goalMs}: ${spreadOf(many).median <= goalMs ? 'met' : 'missed'}`
  )
}
console.log(
  `\nmemory at its peak: ${beforeMiB.toFixed(0)} MiB empty, ${(await peakMiB()).toFixed(0)} MiB`
)
child.kill()
