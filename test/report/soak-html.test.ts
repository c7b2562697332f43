import { expect, test } from 'vitest'
import { soakHtml } from '../../src/report/soak-html.ts'
import { minutes, soakOf } from './soaks.ts'

test('a soak is one page with a curve for each metric, and nothing from elsewhere', () => {
  const page = soakHtml(soakOf(minutes((at) => 100 + 12 * at)))
  expect(page).toMatch(/<h1 class="fail">drift<\/h1>/)
  expect(page.match(/<figure class="curve drift">/g)).toHaveLength(2)
  expect(page).toContain("default-src 'none'")
  expect(page).not.toMatch(/<script|src=|https?:\/\/(?!127\.0\.0\.1)/)
})

test('names and hosts are text, whatever they look like', () => {
  const page = soakHtml(soakOf(minutes(() => 100)))
  expect(page).toContain('&lt;i&gt;own&lt;/i&gt;')
  expect(page).toContain('Some CPU &lt;b&gt;')
  expect(page).not.toContain('<i>own')
})

test('a step is drawn, and what is missing is said', () => {
  expect(soakHtml(soakOf(minutes((at) => (at < 0.6 ? 100 : 140))))).toMatch(/class="step"/)
  expect(soakHtml(soakOf(minutes(() => 100, 10)))).toMatch(/soak --resume/)
})
