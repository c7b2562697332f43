import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Sides } from '../../src/cli/targets/arms.ts'
import { freePorts } from '../free-ports.ts'

/** Servers of the corpus, and what can be planted in B; of one in C only what its settings can. */
export const corpus: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    ['json', 'templates', 'regex', 'crypto', 'sqlite', 'streams', 'router', 'garbage'].map(
      (server) => [
        server,
        ['none', '+5%', '+10%', 'tail', 'stall', 'mode', 'errors', 'memory', 'cpu', '-10%', '+3%']
      ]
    )
  ),
  nginx: ['none', 'errors', 'memory', 'cpu']
}

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

/** A server as both sides of a comparison, of which B has something planted; `close` tidies up. */
export async function corpusSides(server: string, planted: string) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-corpus-'))
  const port = await freePorts(2)
  const side = (port: number, planted: string) => {
    const file = server === 'nginx' ? nginxFile(folder, port, planted) : ''
    const own = `"${process.execPath}" "${program}" ${server} ${port} ${planted}`
    const command = server === 'nginx' ? `exec nginx -p "${folder}" -c "${file}"` : `exec ${own}`
    return { url: `http://127.0.0.1:${port}/`, command }
  }
  const sides = { a: side(port, 'none'), b: side(port + 1, planted) } satisfies Sides
  return {
    sides,
    header: server === 'nginx' ? ['accept-encoding: gzip'] : [],
    close: () => rmSync(folder, { recursive: true, force: true })
  }
}
