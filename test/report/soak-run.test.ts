import { expect, test } from 'vitest'
import { html } from '../../src/report/html.ts'
import { junit } from '../../src/report/junit.ts'
import { soakRun } from '../../src/report/soak-run.ts'
import { minutes, soakOf } from './soaks.ts'

const runOf = (rssMb: (share: number) => number, count?: number) =>
  soakRun(soakOf(minutes(rssMb, count)), { exit: 1, folder: 'out/a soak' })

test('a soak is a page with a curve for each metric, and a case for CI', () => {
  const run = runOf((at) => 100 + 12 * at)
  const page = html(run)
  expect(page).toMatch(/<h1 class="fail">It drifts<\/h1>/)
  expect(page.match(/<figure class="curve drift">/g)).toHaveLength(2)
  expect(page).not.toMatch(/src=|https?:\/\/(?!127\.0\.0\.1)/)
  expect(junit(run)).toContain('<failure type="fail"')
})

test('names and hosts are text, whatever they look like', () => {
  const page = html(runOf(() => 100))
  expect(page).toMatch(/<h1 class="pass">It does not drift<\/h1>/)
  expect(page).toContain('&lt;i&gt;own&lt;/i&gt;')
  expect(page).toContain('Some CPU &lt;b&gt;')
  expect(page).not.toContain('<i>own')
})

test('a step is drawn, and what is missing is said', () => {
  expect(html(runOf((at) => (at < 0.6 ? 100 : 140)))).toMatch(/class="step"/)
  expect(html(runOf(() => 100, 10))).toMatch(
    /plimsoll soak --resume &#39;out\/a soak&#39; -d \d+s<|soak --resume 'out\/a soak' -d \d+s</
  )
})

test('what was said of a soak is on its page', () => {
  const soak = soakOf(minutes(() => 100))
  const tagged = { ...soak, header: { ...soak.header, tags: { build: '42' } } }
  expect(html(soakRun(tagged, { exit: 0, folder: 'out' }))).toContain('build 42')
})

test('a soak is begun again by the words that began it, where they were kept', () => {
  const soak = soakOf(minutes(() => 100))
  const command = ['soak', 'http://127.0.0.1:1/', '--pid', '7', '--metrics', 'rss']
  const kept = { ...soak, header: { ...soak.header, command } }
  expect(html(soakRun(kept, { exit: 0, folder: 'out' }))).toContain(
    `plimsoll ${command.join(' ')}<`
  )
  expect(html(soakRun(soak, { exit: 0, folder: 'out' }))).toContain('--duration 3600s --rate 100<')
})
