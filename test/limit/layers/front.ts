import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePorts } from '../../free-ports.ts'

/** The program of an origin in Node, which takes bodies of at most 20,000 bytes. */
const program = (keptMs: number, slowMs: number, bears: number) => `
  let underWay = 0
  const { createServer } = require('node:http')
  const options = { keepAliveTimeout: ${keptMs}, keepAliveTimeoutBuffer: 0 }
  const server = createServer(options, async (request, response) => {
    let bytes = 0
    response.on('close', () => underWay--)
    if (++underWay > ${bears}) return response.writeHead(503).end()
    for await (const chunk of request.on('error', () => {})) bytes += chunk.length
    await new Promise((done) => setTimeout(done, ${slowMs}))
    if (bytes > 20_000) response.writeHead(413).end('{"error":"too large"}')
    else response.end('hello')
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
  process.stdin.resume().on('end', () => process.exit())`

/**
 * Starts such an origin, which keeps a connection for so long, takes so long to answer, and
 * refuses more requests at once than it bears; it ends with the test.
 */
export async function startOrigin({
  keptMs,
  slowMs = 0,
  bears = 10_000
}: {
  keptMs: number
  slowMs?: number
  bears?: number
}): Promise<string> {
  const stdio = ['pipe', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, ['-e', program(keptMs, slowMs, bears)], {
    stdio: [...stdio]
  })
  const [port] = await once(child.stdout!, 'data')
  onTestFinished(() => void child.stdin!.end())
  return `http://127.0.0.1:${String(port).trim()}/`
}

/** Starts nginx in front of an origin, whose connections it keeps for so long; likewise. */
export async function startFront({ origin, kept = '60s' }: { origin: string; kept?: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-front-'))
  // Its workers may be somebody else than whoever started it.
  chmodSync(folder, 0o777)
  const port = await freePorts(1)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/log;
events {}
http {
  access_log off; ${temporary.join(' ')}
  upstream origin {
    server ${new URL(origin).host};
    keepalive 64;
    keepalive_timeout ${kept};
  }
  server {
    listen 127.0.0.1:${port};
    large_client_header_buffers 4 8k;
    location / {
      proxy_pass http://origin;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_request_buffering off;
    }
  }
}
`
  )
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: 'ignore'
  })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  })
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false
    )
    socket.destroy()
    if (isThere) return `http://127.0.0.1:${port}/`
    await sleep(50)
  }
  throw new Error('nginx does not listen')
}
