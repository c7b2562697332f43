// Apache, Caddy, Varnish, uvicorn and a Go server with limits drawn by a seed.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../src/random.ts'
import { freePorts } from '../free-ports.ts'
import { answering, between, listen, type Probed, type Programs, start } from './probed-programs.ts'

const modules = '/usr/lib/apache2/modules'

/** Debian's mod_qos wants it and does not load it. */
const pcre = '/usr/lib/x86_64-linux-gnu/libpcre.so.3'

/** Apache's own limits, and those of mod_qos where it is installed. */
export async function startApache(next: Random, programs: Programs): Promise<Probed[]> {
  const { folder } = programs
  const port = await freePorts(1)
  const body = between(next, 10_000, 3_000_000)
  const fields = between(next, 20, 90)
  const events = between(next, 7, 60)
  const seconds = between(next, 2, 5)
  const silence = 100 * between(next, 11, 60)
  const hasQos = existsSync(`${modules}/mod_qos.so`)
  const names = ['mpm_event', 'authz_core', 'dir', 'setenvif', ...(hasQos ? ['qos'] : [])]
  const qos = `SetEnvIf Request_URI "^/events" Counted=yes
QS_ErrorResponseCode 429
QS_ClientEventLimitCount ${events} ${seconds} Counted`
  writeFileSync(join(folder, 'index.html'), 'hello\n')
  const file = join(folder, 'apache.conf')
  writeFileSync(
    file,
    `ServerRoot "${folder}"
ServerName probed
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
Listen 127.0.0.1:${port}
PidFile "${folder}/apache.pid"
ErrorLog "${folder}/apache.log"
${existsSync(pcre) ? `LoadFile ${pcre}` : ''}
${names.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
DocumentRoot "${folder}"
DirectoryIndex index.html
MaxKeepAliveRequests 0
KeepAliveTimeout ${silence}ms
LimitRequestBody ${body}
LimitRequestFields ${fields}
${hasQos ? qos : ''}
`
  )
  if (hasQos) writeFileSync(join(folder, 'events'), 'hello\n')
  await start('apache2', ['-D', 'FOREGROUND', '-d', folder, '-f', file], { ...programs, port })
  const url = `http://127.0.0.1:${port}/`
  // It refuses the one that makes it so many, and its clock knows whole seconds only.
  const window = { algorithm: 'fixed-window', burst: events - 1, status: 429 }
  const all: Probed[] = [
    { name: 'body', url, limits: 'body', truth: { accepted: body, status: 413 } },
    {
      ...{ name: 'fields', url, limits: 'header-count' },
      truth: { reading: ['header fields, up to', fields] }
    },
    { name: 'keep-alive', url, limits: 'idle', truth: { endsMs: silence } },
    ...(hasQos
      ? [
          {
            ...{ name: 'mod_qos events', url: `${url}events`, limits: 'rate' },
            truth: window
          }
        ]
      : [])
  ]
  return all.map((one) => ({ ...one, name: `Apache, ${one.name}` }))
}

export async function startCaddy(next: Random, programs: Programs): Promise<Probed[]> {
  const { folder } = programs
  // What stands behind it draws no line of its own below that which is looked for.
  const { port: back } = await listen(answering, programs, { maxHeaderSize: 2 ** 20 })
  const port = await freePorts(1)
  const body = between(next, 10_000, 3_000_000)
  const silence = 100 * between(next, 11, 60)
  const kib = between(next, 5, 60)
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{
  admin off
  auto_https off
  servers {
    max_header_size ${kib}KiB
    timeouts {
      idle ${silence}ms
    }
  }
}
http://127.0.0.1:${port} {
  bind 127.0.0.1
  request_body {
    max_size ${body}B
  }
  reverse_proxy 127.0.0.1:${back}
}
`
  )
  const homes = [`XDG_CONFIG_HOME=${folder}`, `XDG_DATA_HOME=${folder}`]
  const args = [...homes, 'caddy', 'run', '--config', file, '--adapter', 'caddyfile']
  await start('env', args, { ...programs, port })
  const url = `http://127.0.0.1:${port}/`
  const heads = { reading: ['the whole head, up to', 1_024 * kib + 4_096] }
  return [
    // Which status it has, 413 or 502, depends on its version.
    { name: 'Caddy, body', url, limits: 'body', truth: { accepted: body } },
    { name: 'Caddy, idle', url, limits: 'idle', truth: { endsMs: silence } },
    { name: 'Caddy, heads', url, limits: 'headers', truth: heads }
  ]
}

export async function startVarnish(next: Random, programs: Programs): Promise<Probed[]> {
  const { folder } = programs
  const { port: back } = await listen(answering, programs)
  const port = await freePorts(1)
  const length = between(next, 200, 4_000)
  const silence = 100 * between(next, 11, 60)
  const file = join(folder, 'probed.vcl')
  writeFileSync(
    file,
    `vcl 4.1;
backend back { .host = "127.0.0.1"; .port = "${back}"; }
sub vcl_recv {
  if (req.url ~ "^.{${length + 1},}") { return (synth(414)); }
  return (pass);
}
`
  )
  const address = `127.0.0.1:${port}`
  const timeout = ['-p', `timeout_idle=${silence / 1_000}`]
  const args = ['-F', '-n', join(folder, 'varnish'), '-a', address, '-f', file, ...timeout]
  await start('varnishd', args, { ...programs, port })
  const url = `http://${address}/`
  return [
    { name: 'Varnish, url', url, limits: 'url', truth: { accepted: length, status: 414 } },
    { name: 'Varnish, idle', url, limits: 'idle', truth: { endsMs: silence } }
  ]
}

export async function startUvicorn(next: Random, programs: Programs): Promise<Probed[]> {
  const { folder } = programs
  const port = await freePorts(2)
  const crowd = between(next, 5, 60)
  const seconds = between(next, 2, 6)
  writeFileSync(
    join(folder, 'asgi.py'),
    `async def application(scope, receive, send):
    if scope['type'] != 'http':
        return
    while (await receive()).get('more_body'):
        pass
    headers = [(b'content-type', b'text/plain'), (b'content-length', b'6')]
    await send({'type': 'http.response.start', 'status': 200, 'headers': headers})
    await send({'type': 'http.response.body', 'body': b'hello\\n'})
`
  )
  // Connections that are kept count, so that nobody else is to have any there.
  const limits = ['--limit-concurrency', '--timeout-keep-alive']
  for (const [nth, value] of [crowd, seconds].entries()) {
    const own = ['-m', 'uvicorn', '--port', `${port + nth}`, limits[nth]!, `${value}`]
    const args = [...own, '--lifespan', 'off', '--log-level', 'critical', 'asgi:application']
    await start('/usr/bin/python3', args, { ...programs, port: port + nth })
  }
  const url = `http://127.0.0.1:${port}/`
  const kept = `http://127.0.0.1:${port + 1}/`
  // One is refused where as many connections are open, itself among them.
  const held = { accepted: crowd - 1, status: 503 }
  return [
    { name: 'uvicorn, concurrency', url, limits: 'concurrency', truth: held },
    { name: 'uvicorn, keep-alive', url: kept, limits: 'idle', truth: { endsMs: 1_000 * seconds } }
  ]
}

/** What a Go program does with its standard library: a channel of tokens, and net/http's own. */
const program = `package main

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"
)

func number(at int) int {
	value, err := strconv.Atoi(os.Args[at])
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	burst, perSecond := number(2), number(3)
	tokens := make(chan struct{}, burst)
	for i := 0; i < burst; i++ {
		tokens <- struct{}{}
	}
	go func() {
		for range time.Tick(time.Second / time.Duration(perSecond)) {
			select {
			case tokens <- struct{}{}:
			default:
			}
		}
	}()
	http.HandleFunc("/tokens", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-tokens:
			fmt.Fprintln(w, "hello")
		default:
			w.WriteHeader(429)
		}
	})
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "hello")
	})
	server := http.Server{
		Addr:           "127.0.0.1:" + os.Args[1],
		MaxHeaderBytes: number(4),
		IdleTimeout:    time.Duration(number(5)) * time.Millisecond,
	}
	panic(server.ListenAndServe())
}
`

export async function startGo(next: Random, programs: Programs): Promise<Probed[]> {
  const { folder } = programs
  const port = await freePorts(1)
  const bucket = { burst: between(next, 5, 40), perSecond: between(next, 3, 30) }
  const head = 1_024 * between(next, 5, 60)
  const silence = 100 * between(next, 11, 60)
  const binary = join(folder, 'probed-go')
  writeFileSync(join(folder, 'main.go'), program)
  const env = { ...process.env, GOCACHE: join(folder, 'go-cache'), GO111MODULE: 'off' }
  execFileSync('go', ['build', '-o', binary, 'main.go'], { cwd: folder, env })
  const numbers = [port, bucket.burst, bucket.perSecond, head, silence].map(String)
  await start(binary, numbers, { ...programs, port })
  const url = `http://127.0.0.1:${port}/`
  return [
    {
      ...{ name: 'Go, channel of tokens', url: `${url}tokens`, limits: 'rate' },
      truth: { algorithm: 'token-bucket', ...bucket }
    },
    {
      ...{ name: 'Go, heads', url, limits: 'headers' },
      truth: { reading: ['the whole head, up to', head + 4_096] }
    },
    { name: 'Go, idle', url, limits: 'idle', truth: { endsMs: silence } }
  ]
}
