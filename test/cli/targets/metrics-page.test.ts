import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { figuresIn, readMetricsPage } from '../../../src/cli/targets/metrics-page.ts'

const node = `# HELP nodejs_heap_size_used_bytes Process heap size used from Node.js in bytes.
# TYPE nodejs_heap_size_used_bytes gauge
nodejs_heap_size_used_bytes 1.25e7
process_resident_memory_bytes 70000000 1700000000000
process_open_fds 21
process_cpu_seconds_total 1.5
process_start_time_seconds 1700000000
nodejs_active_handles{type="Socket"} 3
nodejs_active_handles{type="Server"} 1
cache_entries NaN
`

test.each([
  ['Node', node, { heap: 12_500_000, rss: 70_000_000, descriptors: 21 }],
  [
    'Java, whose memory has areas',
    'jvm_memory_used_bytes{area="heap",id="a"} 5\njvm_memory_used_bytes{area="heap",id="b"} 6\n' +
      'jvm_memory_used_bytes{area="nonheap",id="c"} 100\n',
    { heap: 11 }
  ],
  ['Go', 'go_memstats_heap_inuse_bytes 3\ngo_threads 9\r\n', { heap: 3, threads: 9 }],
  ['nothing known', 'up 1\nnot a metric line at all\n', {}]
])('a page of %s', (_, text, values) => {
  expect(figuresIn(text, []).values).toEqual(values)
})

test('what is asked for is summed over its labels, and left out where there is none', () => {
  const { values } = figuresIn(node, ['nodejs_active_handles', 'cache_entries', 'nowhere'])
  expect(values).toMatchObject({ nodejs_active_handles: 4 })
  expect(values).not.toHaveProperty('cache_entries')
  expect(values).not.toHaveProperty('nowhere')
})

test('a process is known by when it began, and what it has spent', () => {
  expect(figuresIn(node, [])).toMatchObject({ process: 'since 1700000000', cpuUs: 1_500_000 })
  expect(figuresIn('up 1', [])).toEqual({ values: {} })
})

test('a page that does not answer says nothing, and is no fault', async () => {
  const server = createServer((request, reply) => {
    if (request.url === '/metrics') reply.end(node)
    else reply.writeHead(500).end(node)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect((await readMetricsPage(`${base}/metrics`, []))!.values.descriptors).toBe(21)
  expect(await readMetricsPage(`${base}/broken`, [])).toBeUndefined()
  expect(await readMetricsPage('http://127.0.0.1:1/', [])).toBeUndefined()
})
