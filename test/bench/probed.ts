// Servers whose limits are drawn by a seed: each starts a few programs and says where to ask, and
// what is true there.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Random, random } from '../../src/random.ts'
import { freePorts } from '../free-ports.ts'
import { startLimiterPackages } from './limiter-packages.ts'
import { has } from './machine.ts'
import { startApache, startCaddy, startGo, startUvicorn, startVarnish } from './probed-more.ts'
import { startNode } from './probed-node.ts'
import { answering, between, listen, type Probed, type Programs, start } from './probed-programs.ts'

/** Whole servers that were started for some limits. */
export type ProbedServers = { probed: Probed[]; stop: () => Promise<void> }

type Maker = (next: Random, programs: Programs) => Promise<Probed[]>

/** Each make of server, the program that it needs, and what starts it. */
const makes: [name: string, program: string, start: Maker][] = [
  ['Node', 'node', startNode],
  ['npm', 'npm', startLimiterPackages],
  ['nginx', 'nginx', startNginx],
  ['HAProxy', 'haproxy', startHaproxy],
  ['lighttpd', 'lighttpd', startLighttpd],
  ['gunicorn', 'gunicorn', startGunicorn],
  ['Apache', 'apache2', startApache],
  ['Caddy', 'caddy', startCaddy],
  ['Varnish', 'varnishd', startVarnish],
  ['uvicorn', '/usr/bin/python3', startUvicorn],
  ['Go', 'go', startGo]
]

/**
 * Starts those makes of server that are on this machine and may serve what is wanted: some part of
 * `Make, limit`. What is drawn for one make does not depend on the others.
 */
export async function startProbed(seed: number, wanted: string): Promise<ProbedServers> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-probed-'))
  // Servers that were started as root read it as somebody else.
  chmodSync(folder, 0o755)
  const programs: Programs = { folder, stops: [] }
  const stop = async () => {
    for (const one of programs.stops.reverse()) await one()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const probed: Probed[] = []
    const [only = ''] = wanted.split(',')
    for (const [make, program, begin] of makes) {
      const isWanted = !makes.some(([name]) => only.startsWith(name)) || only.startsWith(make)
      if (!isWanted) continue
      if (has(program)) probed.push(...(await begin(random(seed, make), programs)))
      else console.log(`${make} is not on this machine and left out`)
    }
    return { probed: probed.filter(({ name }) => name.includes(wanted)), stop }
  } catch (fault) {
    await stop()
    throw fault
  }
}

async function startNginx(next: Random, programs: Programs): Promise<Probed[]> {
  const { folder } = programs
  // What stands behind it draws no line of its own below those that are looked for.
  const { port: back } = await listen(answering, programs, { maxHeaderSize: 2 ** 20 })
  const port = await freePorts(1)
  const zones: string[] = []
  const places: string[] = []
  const probed: Probed[] = []
  const place = (name: string, limits: string, lines: string, truth: Probed['truth']) => {
    const path = `/${probed.length}`
    places.push(`location ${path} { proxy_pass http://127.0.0.1:${back}; ${lines} }`)
    probed.push({ name: `nginx, ${name}`, url: `http://127.0.0.1:${port}${path}`, limits, truth })
  }
  const zone = (perSecond: number) => {
    zones.push(`limit_req_zone $server_name zone=z${zones.length}:1m rate=${perSecond}r/s;`)
    return `limit_req zone=z${zones.length - 1}`
  }
  const bucket = { perSecond: between(next, 3, 40), burst: between(next, 3, 40) }
  place('nodelay', 'rate', `${zone(bucket.perSecond)} burst=${bucket.burst} nodelay;`, {
    algorithm: 'token-bucket',
    ...{ burst: bucket.burst + 1, perSecond: bucket.perSecond }
  })
  const spacing = between(next, 3, 15)
  place('without burst', 'rate', `${zone(spacing)};`, {
    ...{ algorithm: 'token-bucket', burst: 1, perSecond: spacing }
  })
  const queue = { perSecond: between(next, 5, 40), burst: between(next, 10, 40) }
  place('burst', 'rate', `${zone(queue.perSecond)} burst=${queue.burst};`, {
    ...{ algorithm: 'leaky-queue', burst: 1, perSecond: queue.perSecond, queue: queue.burst }
  })
  const delay = between(next, 2, queue.burst - 5)
  place('delay', 'rate', `${zone(queue.perSecond)} burst=${queue.burst} delay=${delay};`, {
    ...{ algorithm: 'leaky-queue', burst: delay + 1, perSecond: queue.perSecond },
    queue: queue.burst - delay
  })
  const stacked = `${zone(10)} burst=10 nodelay; ${zone(2)} burst=60 nodelay;`
  place('two stacked', 'rate', stacked, { algorithm: 'stacked' })
  const atOnce = between(next, 3, 90)
  zones.push('limit_conn_zone $server_name zone=crowd:1m;')
  const unbuffered = 'proxy_request_buffering off; proxy_http_version 1.1;'
  place('limit_conn', 'concurrency', `limit_conn crowd ${atOnce}; ${unbuffered}`, {
    ...{ accepted: atOnce, status: 503 }
  })
  const body = between(next, 1_000, 9_000_000)
  place('body', 'body', `client_max_body_size ${body};`, { accepted: body, status: 413 })
  const buffer = between(next, 2, 30)
  place('url', 'url', '', { reading: ['the request line and its end, up to', 1_024 * buffer] })
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`
  )
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 4096; }
http {
  access_log off; limit_req_status 429; large_client_header_buffers 4 ${buffer}k;
  client_header_buffer_size 1k; ${temporary.join(' ')}
  ${zones.join('\n  ')}
  server { listen 127.0.0.1:${port}; server_name probed; ${places.join('\n    ')} }
}
`
  )
  await start('nginx', ['-p', folder, '-c', file], { ...programs, port })
  return probed
}

async function startHaproxy(next: Random, programs: Programs): Promise<Probed[]> {
  const { folder } = programs
  const { port: back } = await listen(answering, programs)
  const port = await freePorts(4)
  const limit = between(next, 10, 60)
  const windowMs = 1_000 * between(next, 2, 5)
  const open = between(next, 5, 14)
  const path = between(next, 500, 4_000)
  const silence = 100 * between(next, 11, 60)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `global
  maxconn 4000
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  default_backend back
frontend rate
  bind 127.0.0.1:${port}
  stick-table type ip size 1k expire 60s store http_req_rate(${windowMs}ms)
  http-request deny deny_status 429 if { src_http_req_rate ge ${limit} }
  http-request track-sc0 src
frontend open
  bind 127.0.0.1:${port + 1}
  stick-table type ip size 1k expire 60s store conn_cur
  tcp-request connection track-sc0 src
  http-request deny deny_status 429 if { sc0_conn_cur gt ${open} }
frontend path
  bind 127.0.0.1:${port + 2}
  http-request deny deny_status 403 if { url_len gt ${path} }
frontend silence
  bind 127.0.0.1:${port + 3}
  timeout http-keep-alive ${silence}ms
backend back
  server one 127.0.0.1:${back}
`
  )
  await start('haproxy', ['-db', '-f', file], { ...programs, port: port + 3 })
  const url = (at: number) => `http://127.0.0.1:${port + at}/`
  const counter = { algorithm: 'sliding-counter', burst: limit, windowMs }
  const all = [
    { name: 'http_req_rate', url: url(0), limits: 'rate', truth: counter },
    { name: 'conn_cur', url: url(1), limits: 'rate', truth: { algorithm: 'in-flight' } },
    { name: 'url_len', url: url(2), limits: 'url', truth: { accepted: path, status: 403 } },
    { name: 'keep-alive', url: url(3), limits: 'idle', truth: { endsMs: silence } }
  ]
  return all.map((one) => ({ ...one, name: `HAProxy, ${one.name}` }))
}

async function startLighttpd(next: Random, programs: Programs): Promise<Probed[]> {
  const { folder } = programs
  const port = await freePorts(1)
  const kib = between(next, 100, 4_000)
  writeFileSync(join(folder, 'index.html'), 'hello\n')
  const file = join(folder, 'lighttpd.conf')
  writeFileSync(
    file,
    `server.document-root = "${folder}"
server.bind = "127.0.0.1"
server.port = ${port}
index-file.names = ( "index.html" )
mimetype.assign = ( ".html" => "text/html" )
server.max-request-size = ${kib}
`
  )
  await start('lighttpd', ['-D', '-f', file], { ...programs, port })
  const url = `http://127.0.0.1:${port}/`
  const body = { accepted: 1_024 * kib, status: 413 }
  return [{ name: 'lighttpd, body', url, limits: 'body', truth: body }]
}

async function startGunicorn(next: Random, programs: Programs): Promise<Probed[]> {
  const { folder } = programs
  const port = await freePorts(1)
  const line = between(next, 500, 4_000)
  const fields = between(next, 20, 90)
  writeFileSync(
    join(folder, 'hello.py'),
    `def application(environ, start_response):
    start_response('200 OK', [('Content-Type', 'text/plain'), ('Content-Length', '6')])
    return [b'hello\\n']
`
  )
  const numbers = ['--limit-request-line', `${line}`, '--limit-request-fields', `${fields}`]
  const args = ['-b', `127.0.0.1:${port}`, ...numbers, 'hello:application']
  await start('gunicorn', args, { ...programs, port })
  const url = `http://127.0.0.1:${port}/`
  const counted = ['header fields, up to', fields]
  return [
    { name: 'gunicorn, fields', url, limits: 'header-count', truth: { reading: counted } },
    {
      name: 'gunicorn, line',
      url,
      limits: 'url',
      truth: { accepted: line - 'GET  HTTP/1.1'.length }
    }
  ]
}
