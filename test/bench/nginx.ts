import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../free-ports.ts'
import { pinned } from './machine.ts'

const configuration = (folder: string, port: number, http2: boolean) => `
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 16384; }
http {
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port} backlog=16384${http2 ? ' http2' : ''};
    location / { default_type text/plain; return 200 "hello\\n"; }
  }
}
`

/**
 * Starts an nginx with one worker on the second core, which answers everything with one line; over
 * HTTP/2 alone if that is asked for.
 */
export async function startNginx({ http2 = false } = {}): Promise<{
  url: string
  stop: () => Promise<void>
}> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))
  const port = await freePorts(1)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(folder, port, http2))
  const [program, ...args] = pinned(1, ['nginx', '-p', folder, '-c', file]) as [string, ...string[]]
  const child = spawn(program, args, { stdio: 'inherit' })
  const ended = once(child, 'exit')
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false
    )
    socket.destroy()
    if (isThere) break
    await sleep(50)
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
