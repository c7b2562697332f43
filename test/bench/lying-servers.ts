// Nine servers whose headers lie, nine that behave alike and say so, and four that are filled all
// the time: express and a cluster of Node's with limiters of npm's, nginx, uvicorn, and Node.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../src/random.ts'
import { freePorts } from '../free-ports.ts'
import { installedLimiters, startOnPorts } from './limiter-packages.ts'
import { answering, between, listen, type Programs, start } from './probed-programs.ts'
import { refilling } from './refilling.ts'

/** One server: where it is, whether a race tells, and the fields one of which is false, if any. */
export type Lying = { name: string; url: string; isRaced: boolean; lie?: readonly string[] }

/** How many are let through in which time, by how many processes where there is more than one. */
export type LyingSettings = { limit: number; windowMs: number; workers: number }

/**
 * Which field each lie is told by. Two connections of one client may be kept by two processes, and
 * asked in turn: then no more is let through at once, and still more than each answer says.
 */
const lies: Record<string, readonly string[]> = {
  'static Retry-After': ['Retry-After'],
  'remaining off by one': ['RateLimit'],
  'wrong epoch': ['X-Ratelimit-Reset'],
  'policy that differs': ['RateLimit-Policy'],
  race: ['race'],
  'counter of each process': ['race', 'X-Ratelimit-Limit'],
  'only on refusal': ['RateLimit'],
  'date in the past': ['Retry-After'],
  'soft refusal': ['status']
}

/** Starts all twenty-two; fewer where a program is missing. */
export async function startLying(next: Random, programs: Programs): Promise<Lying[]> {
  const ports = {
    ...(await packages(next, programs)),
    ...(await startNginx(next, programs)),
    ...(await startUvicorn(next, programs))
  }
  const refilled = await startRefilling(next, programs)
  const planted = Object.keys(lies).flatMap((name) =>
    [name, `${name}, honest`]
      .filter((one) => ports[one] !== undefined)
      .map((one) => {
        const url = `http://127.0.0.1:${ports[one]}/`
        return {
          name: one,
          url,
          isRaced: lies[name]!.includes('race'),
          ...(one === name && { lie: lies[name]! })
        }
      })
  )
  return [...planted, ...refilled]
}

type Ports = Record<string, number>

async function packages(next: Random, { stops }: Programs): Promise<Ports> {
  const folder = installedLimiters()
  if (!folder) return {}
  const sizes = { limit: between(next, 8, 40), windowMs: 1_000 * between(next, 2, 3) }
  const settings: LyingSettings = { ...sizes, workers: between(next, 2, 4) }
  const server = new URL('lying-server.ts', import.meta.url).pathname
  const args = [server, folder, JSON.stringify(settings)]
  return startOnPorts(args, stops)
}

/** A bucket that holds the next token in as many seconds as one of two places says. */
async function startNginx(next: Random, programs: Programs): Promise<Ports> {
  const { folder } = programs
  const { port: back } = await listen(answering, programs)
  const port = await freePorts(2)
  const seconds = between(next, 2, 4)
  const burst = between(next, 3, 12)
  const file = join(folder, 'nginx.conf')
  const server = (nth: number, told: number) => `server {
    listen 127.0.0.1:${port + nth}; server_name lying;
    limit_req zone=z${nth} burst=${burst} nodelay;
    add_header Retry-After ${told} always;
    location / { proxy_pass http://127.0.0.1:${back}; }
  }`
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`
  )
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 512; }
http {
  access_log off; limit_req_status 429; ${temporary.join(' ')}
  limit_req_zone $server_name zone=z0:1m rate=${60 / seconds}r/m;
  limit_req_zone $server_name zone=z1:1m rate=${60 / seconds}r/m;
  ${server(0, 1)}
  ${server(1, seconds)}
}
`
  )
  await start('nginx', ['-p', folder, '-c', file], { ...programs, port: port + 1 })
  return { 'static Retry-After': port, 'static Retry-After, honest': port + 1 }
}

/** What fills all the time, whose resets mean that all is back, or the next one; none lies. */
async function startRefilling(next: Random, programs: Programs): Promise<Lying[]> {
  const size = { limit: between(next, 6, 12), everyMs: 100 * between(next, 4, 12) }
  const started = Object.entries(refilling(size)).map(async ([name, handler]) => {
    const { port } = await listen(handler, programs)
    return { name: `${name}, honest`, url: `http://127.0.0.1:${port}/`, isRaced: false }
  })
  return Promise.all(started)
}

/** A window whose refusals say when it ends, or when it had begun, as a date. */
async function startUvicorn(next: Random, programs: Programs): Promise<Ports> {
  const { folder } = programs
  const port = await freePorts(2)
  const [limit, seconds] = [between(next, 8, 40), between(next, 2, 4)]
  writeFileSync(
    join(folder, 'dated.py'),
    `import os
import time
from email.utils import formatdate

limit, seconds, is_lying = ${limit}, ${seconds}, os.environ['LYING'] == 'yes'
start, count = 0, 0


async def application(scope, receive, send):
    global start, count
    now = time.time()
    if now >= start + seconds:
        start, count = now, 0
    count += 1
    headers = [(b'content-type', b'text/plain'), (b'content-length', b'6')]
    headers.append((b'x-ratelimit-limit', str(limit).encode()))
    if count > limit:
        told = start - 1 if is_lying else start + seconds + 1
        headers.append((b'retry-after', formatdate(told, usegmt=True).encode()))
    status = 429 if count > limit else 200
    await send({'type': 'http.response.start', 'status': status, 'headers': headers})
    await send({'type': 'http.response.body', 'body': b'hello\\n'})
`
  )
  for (const [nth, lying] of ['yes', 'no'].entries()) {
    const own = ['-m', 'uvicorn', '--port', `${port + nth}`, '--lifespan', 'off']
    const args = [`LYING=${lying}`, '/usr/bin/python3', ...own, '--log-level', 'critical']
    await start('env', [...args, 'dated:application'], { ...programs, port: port + nth })
  }
  return { 'date in the past': port, 'date in the past, honest': port + 1 }
}
