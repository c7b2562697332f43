// How `compare` judges real servers by commands, alike and with planted changes: a table by server
// and change, with 95 % intervals. Each comparison is kept as a line, so that a second call goes on
// where the first ended. `node corpus.ts --file F [--alike 40] [--each 10] [--time 60]
// [--budget 3] [--minutes 60] [--only json] [--planted stall] [--first 0]`
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { carryOut } from '../../src/cli/commands/comparison.ts'
import type { PairFlags } from '../../src/cli/flags/compare-flags.ts'
import { clock } from '../../src/clock.ts'
import { createDeadline } from '../../src/engine/deadline.ts'
import { createSenderThreads } from '../../src/engine/sender-threads.ts'
import { createStop } from '../../src/engine/stop.ts'
import { clopperPearson } from '../../src/statistics/clopper-pearson.ts'
import { freePorts } from '../free-ports.ts'
import { machine } from './machine.ts'

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    alike: { type: 'string', default: '40' },
    each: { type: 'string', default: '10' },
    first: { type: 'string', default: '0' },
    time: { type: 'string', default: '60' },
    budget: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    planted: { type: 'string' }
  }
})
const node = ['json', 'templates', 'regex', 'crypto', 'sqlite', 'streams', 'router', 'garbage']
const changes = {
  node: ['none', '+3%', '+5%', '+10%', 'tail', 'stall', 'mode', 'errors', 'memory', 'cpu', '-10%'],
  // Of a server in C only what its configuration can plant.
  nginx: ['none', 'errors', 'memory', 'cpu']
}

const until = performance.now() + Number(values.minutes) * 60_000
const time = Number(values.time)

/** What nginx does for a request, by what is planted. */
function nginxFile(folder: string, port: number, planted: string): string {
  const file = join(folder, `${port}.conf`)
  const level = planted === 'cpu' ? 6 : 1
  const connections = planted === 'memory' ? 65_536 : 16_384
  const share = planted === 'errors' ? '0.5%' : '0.01%'
  const answer = planted === 'errors' ? '500' : '200'
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/${port}.pid; error_log /dev/null;
events { worker_connections ${connections}; }
http {
  access_log off; keepalive_requests 1000000000;
  client_body_temp_path ${folder}/${port}b; proxy_temp_path ${folder}/${port}p;
  fastcgi_temp_path ${folder}/${port}f; uwsgi_temp_path ${folder}/${port}u;
  scgi_temp_path ${folder}/${port}s;
  gzip on; gzip_comp_level ${level}; gzip_proxied any; gzip_min_length 1; gzip_types text/plain;
  split_clients "$request_id" $wrong { ${share} 1; * 0; }
  server {
    listen 127.0.0.1:${port};
    default_type text/plain;
    location / {
      if ($wrong) { return ${answer} wrong; }
      return 200 "${'some words that gzip makes shorter, 42 of them; '.repeat(60)}";
    }
  }
}`
  )
  return file
}

const program = resolve(import.meta.dirname, 'corpus-server.ts')

type Line = { server: string; planted: string; seed: number; time: number; budget: number } & {
  verdict: string
  because: string
  seconds: number
}

/** One comparison of a server with itself, of which B has something planted. */
async function compared(server: string, planted: string, seed: number): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-corpus-'))
  const port = await freePorts(2)
  const side = (port: number, planted: string) => {
    const file = server === 'nginx' ? nginxFile(folder, port, planted) : ''
    const own = `"${process.execPath}" "${program}" ${server} ${port} ${planted}`
    const command = server === 'nginx' ? `exec nginx -p "${folder}" -c "${file}"` : `exec ${own}`
    return { url: `http://127.0.0.1:${port}/`, command }
  }
  const flags: PairFlags = {
    ...{ connections: 1, pipelining: 1, workers: 1, timeout: 10, method: 'GET', insecure: false },
    header: server === 'nginx' ? ['accept-encoding: gzip'] : [],
    ...{ transport: 'wire', open: false, metric: [{ metric: 'p50' }], seed, time },
    ...{ budget: Number(values.budget), authorisation: '', json: false }
  }
  const workers = createSenderThreads(1)
  const began = performance.now()
  try {
    const { conclusion, ended, because } = await carryOut({
      sides: { a: side(port, 'none'), b: side(port + 1, planted) },
      ...{ flags, workers, deadline: createDeadline(time, { clock }), stop: createStop() },
      onProgress() {}
    })
    const verdict = ended === 'decided' ? conclusion!.verdict : ended
    const seconds = Math.round((performance.now() - began) / 1_000)
    return { server, planted, seed, time, budget: flags.budget, verdict, because, seconds }
  } finally {
    await workers.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const { file } = values
const kept: Line[] =
  file !== undefined && existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : []

/** The comparison of that seed: the one in the file, or a new one while there is time. */
async function lineOf(server: string, planted: string, seed: number): Promise<Line | undefined> {
  const key = (line: Omit<Line, 'verdict' | 'because' | 'seconds'>) =>
    [line.server, line.planted, line.seed, line.time, line.budget].join()
  const wanted = key({ server, planted, seed, time, budget: Number(values.budget) })
  const known = kept.find((line) => key(line) === wanted)
  if (known || performance.now() > until) return known
  const line = await compared(server, planted, seed)
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
  return line
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`

/** How many of them came out otherwise than they should, or as they should, in words. */
function told(lines: readonly Line[], planted: string): string {
  const is = planted === 'none' ? ['regressed', 'improved'] : ['regressed']
  const wanted = planted.startsWith('-') ? ['improved'] : is
  const events = lines.filter(({ verdict }) => wanted.includes(verdict)).length
  const draws = lines.length
  const { low, high } = clopperPearson({ events, draws, confidence: 0.95 })
  const others = Object.entries(Object.groupBy(lines, ({ verdict }) => verdict))
  const each = others.map(([verdict, some]) => `${some!.length} ${verdict}`).join(', ')
  return `${`${events} of ${draws}`.padEnd(10)}${percent(low)} … ${percent(high)}`.padEnd(30) + each
}

console.log(machine())
console.log(`by commands, ${time} s each, budget ${values.budget} %; "none": false alarms\n`)
const all: Line[] = []
for (const server of [...node, 'nginx'].filter((name) => name.includes(values.only))) {
  const planted = server === 'nginx' ? changes.nginx : changes.node
  for (const change of planted.filter((one) => (values.planted ?? one) === one)) {
    const lines: Line[] = []
    const count = Number(change === 'none' ? values.alike : values.each)
    for (let nth = 0; nth < count; nth++) {
      const line = await lineOf(server, change, Number(values.first) + nth)
      if (line) lines.push(line)
    }
    all.push(...lines)
    if (lines.length > 0)
      console.log(`${server.padEnd(11)}${change.padEnd(8)}${told(lines, change)}`)
  }
}
console.log()
for (const [change, lines] of Object.entries(Object.groupBy(all, ({ planted }) => planted))) {
  console.log(`${'all'.padEnd(11)}${change.padEnd(8)}${told(lines!, change)}`)
}
