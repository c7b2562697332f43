import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../free-ports.ts'
import { startEcho } from './echo.ts'

/** What nginx is told to allow, in its own words. */
export type Allowance = {
  /** `large_client_header_buffers`, shared by the request line and the headers. */
  buffers: string
  /** `client_header_buffer_size`, used before the large ones. */
  firstBuffer: string
  /** `client_max_body_size` by plan. */
  bodies: Record<string, string>
  /** `limit_conn`: requests at once. */
  atOnce?: number
  /** `limit_req`: requests a second, and how many more at once. */
  rate?: { perSecond: number; burst: number }
}

/** Whether there is an nginx on this machine to test against. */
export function hasNginx(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const host = (plan: string) => `${plan}.example.test`

/** What limits how many, and where it keeps count. */
function crowding({ atOnce, rate }: Allowance): { zones: string; limits: string } {
  const zones: string[] = []
  const limits: string[] = []
  if (atOnce !== undefined) {
    zones.push('limit_conn_zone $binary_remote_addr zone=crowd:1m;')
    limits.push(`limit_conn crowd ${atOnce};`)
  }
  if (rate !== undefined) {
    zones.push(`limit_req_zone $binary_remote_addr zone=rate:1m rate=${rate.perSecond}r/s;`)
    limits.push(`limit_req zone=rate burst=${rate.burst} nodelay; limit_req_status 429;`)
  }
  return { zones: zones.join('\n'), limits: limits.join('\n') }
}

function configuration(folder: string, ports: { nginx: number; echo: number }, allow: Allowance) {
  const { zones, limits } = crowding(allow)
  const servers = Object.entries(allow.bodies).map(
    ([plan, size]) => `
    server {
      listen 127.0.0.1:${ports.nginx};
      server_name ${host(plan)};
      client_header_buffer_size ${allow.firstBuffer};
      large_client_header_buffers ${allow.buffers};
      client_max_body_size ${size};
      location / {
        proxy_pass http://127.0.0.1:${ports.echo};
        proxy_set_header Host $http_host;
        proxy_http_version 1.1;
        proxy_request_buffering off;
        ${limits}
      }
    }`
  )
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${zones}
  ${servers.join('\n')}
}
`
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (child.exitCode !== null) throw new Error('nginx ended at once')
    const socket = connect(port, '127.0.0.1')
    const open = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false)
    ]).catch(() => false)
    socket.destroy()
    if (open) return
    await sleep(50)
  }
  throw new Error('nginx does not listen')
}

/** Starts nginx in front of an echo; `target` is the file for `--target`. */
export async function startNginx(allow: Allowance) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-nginx-'))
  const echo = await startEcho()
  const port = await freePorts(1)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(folder, { nginx: port, echo: echo.port }, allow))
  const child = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' })
  await listening(port, child)
  const target = join(folder, 'target.json')
  const hosts = Object.fromEntries(Object.keys(allow.bodies).map((plan) => [plan, host(plan)]))
  const endpoints = { edge: { url: `http://127.0.0.1:${port}` } }
  writeFileSync(target, JSON.stringify({ name: 'nginx', endpoints, hosts }))
  return {
    target,
    url: endpoints.edge.url,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await echo.stop()
      rmSync(folder, { recursive: true })
    }
  }
}
