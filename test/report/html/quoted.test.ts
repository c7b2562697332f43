import { expect, test } from 'vitest'
import { cardAddress, quotationAddresses, quotedDocument } from '../../../src/report/html/quoted.ts'
import { html } from '../../../src/report/html.ts'
import type { ClauseRecord, Report } from '../../../src/report/record.ts'
import { sample } from '../sample.ts'
import { unpacked } from '../unpacked.ts'

const report = sample()
const [failed] = report.verdicts
const clause = (id: string, more: Partial<ClauseRecord>): ClauseRecord => {
  return { t: 'clause', id, kind: 'rule', documented: 'so', section: 'sizes', ...more }
}
const quoting: Report = {
  ...report,
  plan: [],
  inventory: [
    clause('later', { quote: 'A `<b>` & more.', lines: '12' }),
    clause(failed!.clause, { quote: 'It is so.', lines: '3-4' }),
    clause('silent', {})
  ]
}

test('the sentences that clauses quote stand in the order of the document', () => {
  expect([...quotationAddresses(quoting)]).toEqual([
    [failed!.clause, 'said-1'],
    ['later', 'said-2']
  ])
  const { markup } = quotedDocument(quoting)!
  expect(markup.indexOf('It is so.')).toBeLessThan(
    markup.indexOf('A <code>&lt;b&gt;</code> &amp; more.')
  )
  expect(markup).toContain('<h3>sizes</h3>')
})

test('a verdict links to its sentence, and the sentence to its verdict', () => {
  const page = unpacked(html(quoting))
  const link = '<dt>Where</dt><dd><a href="#said-1">sizes, lines 3-4</a></dd>'
  expect(page).toContain(`<dt>Quoted</dt><dd class="said">It is so.</dd>\n${link}`)
  expect(page).toContain(`href="#${encodeURIComponent(cardAddress(failed!))}"`)
  expect(page).toContain(`id="${cardAddress(failed!)}"`)
  expect(page).toMatch(
    /<li id="said-2" class="untested" data-outcome="untested">[\s\S]*?<small>line 12 · /
  )
})

test('without quotations there is no such part', () => {
  expect(quotedDocument(report)).toBeUndefined()
  expect(unpacked(html(report))).not.toContain('<dt>Quoted</dt>')
})
