import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePorts } from '../../free-ports.ts'
import { selfSigned } from '../certificate.ts'

/** A server that speaks HTTP/2 on two ports, without TLS on the first, with it on the second. */
type Program = {
  configuration: (folder: string, plain: number, secure: number, more?: string) => string
  command: (file: string, folder: string) => [program: string, ...args: string[]]
}

const nginxFolders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/**
 * Each answers `/` with hello, `/large` with 100,000 bytes; nginx ends a connection after 100
 * requests, and HAProxy allows seven streams.
 */
export const programs: Record<string, Program> = {
  nginx: {
    configuration: (folder, plain, secure, more = '') => `
daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/log;
events {}
http {
  access_log off; keepalive_requests 100; ${more}
  ${nginxFolders.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${plain} http2;
    listen 127.0.0.1:${secure} ssl http2;
    ssl_certificate ${folder}/cert; ssl_certificate_key ${folder}/key;
    root ${folder};
    location = / { return 200 hello; }
    location = /large { try_files /large =404; }
  }
}`,
    command: (file, folder) => ['nginx', '-p', folder, '-c', file]
  },
  caddy: {
    configuration: (folder, plain, secure) => `
{
  admin off
  auto_https off
  servers {
    protocols h1 h2 h2c
  }
}
(site) {
  root * ${folder}
  respond / hello
  file_server
}
http://127.0.0.1:${plain} {
  import site
}
https://127.0.0.1:${secure} {
  tls ${folder}/cert ${folder}/key
  import site
}`,
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file]
  },
  haproxy: {
    configuration: (folder, plain, secure) => `
global
  tune.bufsize 200000
  tune.h2.max-concurrent-streams 7
defaults
  mode http
  timeout client 10s
  timeout connect 10s
  timeout server 10s
frontend all
  bind 127.0.0.1:${plain} proto h2
  bind 127.0.0.1:${secure} ssl crt ${folder}/both alpn h2
  http-request return status 200 file ${folder}/large content-type text/plain if { path /large }
  http-request return status 200 string hello content-type text/plain`,
    command: (file) => ['haproxy', '-db', '-f', file]
  }
}

/** Whether it is installed. */
export function isInstalled(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts one of them, nginx with more in its configuration; it ends with the test. */
export async function startProgram(
  name: string,
  more?: string
): Promise<{ plain: string; secure: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-http2-'))
  // Its workers may be somebody else than whoever started it.
  chmodSync(folder, 0o777)
  const plain = await freePorts(2)
  const secure = plain + 1
  const { configuration, command } = programs[name]!
  const { key, cert } = selfSigned
  const files = { key, cert, both: cert + key, large: 'x'.repeat(100_000) }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  const file = join(folder, 'configuration')
  writeFileSync(file, `${configuration(folder, plain, secure, more)}\n`)
  const [program, ...args] = command(file, folder)
  const child = spawn(program, args, {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt++) {
    const socket = connect(secure, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false
    )
    socket.destroy()
    if (isThere)
      return { plain: `http://127.0.0.1:${plain}`, secure: `https://127.0.0.1:${secure}` }
    await sleep(25)
  }
  throw new Error(`${name} does not listen`)
}
