import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html } from '../../src/report/html.ts'
import type { Report } from '../../src/report/record.ts'
import { outcomes } from '../../src/verdict/outcome.ts'
import { anyText, says } from './hostile.ts'
import { sample } from './sample.ts'
import { unpacked } from './unpacked.ts'

const report = sample()
const page = html(report)

/** What stands between two tags of which there is one. */
function inside(name: string): string {
  return page.slice(page.indexOf(`<${name}>`) + name.length + 2, page.indexOf(`</${name}>`))
}

test('the page needs nothing from elsewhere', () => {
  expect(page).not.toMatch(/(?:src|action|data|srcset|poster)=/)
  expect(page).not.toMatch(/url\(|@import|<link|<iframe|<object/)
  expect([...page.matchAll(/href="([^"]*)"/g)].every(([, link]) => link!.startsWith('#'))).toBe(
    true
  )
})

test('its policy allows its own script and style, and nothing else', () => {
  const digest = (text: string) => createHash('sha256').update(text).digest('base64')
  expect(page).toContain(
    `content="default-src 'none'; style-src 'sha256-${digest(inside('style'))}'; ` +
      `script-src 'sha256-${digest(inside('script'))}'"`
  )
  expect(page).not.toMatch(/\sstyle=|\son[a-z]+=/)
})

test('the bar and the sentence below it count the same as untested', () => {
  const told = [...page.matchAll(/(\d+) untested/g)].map(([, count]) => Number(count))
  expect(told.length).toBeGreaterThan(1)
  expect(new Set(told)).toEqual(new Set([report.footer!.coverage.untested]))
})

test('its script is a script', () => {
  expect(() => new Script(inside('script'))).not.toThrow()
})

test('every verdict has a card in the section of its outcome, failures open', () => {
  for (const { scenario, clause, outcome } of report.verdicts) {
    const section = page.indexOf(`data-outcome="${outcome}"`)
    const next = page.indexOf('data-outcome=', section + 1)
    const card = page.indexOf(`<details class="verdict" id="${scenario}:${clause}"`)
    expect(card).toBeGreaterThan(section)
    const end = page.indexOf('>', card)
    expect(page.slice(card, end).endsWith(' open')).toBe(outcome === 'fail')
    if (next > 0) expect(card).toBeLessThan(next)
  }
})

test('outcomes that occur can be chosen, each by a box of its own', () => {
  for (const outcome of outcomes) {
    const occurs = report.verdicts.some((one) => one.outcome === outcome)
    expect(page.includes(`id="show-${outcome}" checked`)).toBe(occurs)
    expect(page).toContain(
      `#show-${outcome}:not(:checked)) main [data-outcome='${outcome}'] { display: none }`
    )
  }
})

test('the parts of the coverage bar add up to the clauses that have a verdict', () => {
  const bar = /class="coverage">\n<svg[\s\S]*?<\/svg>/.exec(page)![0]
  const widths = [...bar.matchAll(/ width="([\d.]+)%"\n/g)].map(([, width]) => Number(width))
  expect(widths).toHaveLength(6)
  expect(widths.reduce((sum, width) => sum + width)).toBeCloseTo((100 * 12) / 20)
})

test('headline, bar and boxes count the same: each clause once, at its worst, and no load', () => {
  const twice = { ...report.verdicts[0]!, scenario: 'edge/again', outcome: 'fail' as const }
  const load = { ...report.verdicts[0]!, scenario: 'load/a', clause: 'load/a' }
  const shown = html({ ...report, verdicts: [...report.verdicts, twice, load] })
  const bar = /<figure class="coverage">[\s\S]*?<\/figure>/.exec(shown)![0]
  const [, bars] = /<title>(\d+) fail</.exec(bar)!
  const [, boxes] = /<\/span> fail <b>(\d+)<\/b>/.exec(shown)!
  const [, headline] = /<h1[^>]*>(\d+) clauses fail/.exec(shown)!
  expect([bars, boxes]).toEqual([headline, headline])
  expect(bar).toContain('12 of 20 clauses have a verdict')
})

test.each([
  ['without a footer', { ...report, footer: undefined }, true],
  ['interrupted', { ...report, footer: { ...report.footer!, complete: false } }, true],
  ['whole', report, false]
])('a run that is %s says whether it is incomplete', (_, given: Report, incomplete) => {
  expect(html(given).includes('The run is incomplete')).toBe(incomplete)
})

test('what was expected is named, and what there is to say of it', () => {
  const remarks = [{ clause: 'a', text: '<a> can be removed', failing: true }]
  const expectations = { file: 'e.json', sha256: '0a1b', strict: true }
  const header = { ...report.header, expectations }
  const shown = html({ ...report, header, footer: { ...report.footer!, remarks } })
  expect(shown).toMatch(/<p class="notice fail" role="note">\s*&lt;a&gt; can be removed<\/p>/)
  expect(shown).toContain('e.json, SHA-256 <code>0a1b</code>')
  expect(unbalanced(shown)).toEqual([])
})

test('the machines that sent the loads are named', () => {
  const agents = ['blue-1', '<red>-2'].map((id) => ({ id, threads: 2, clockErrorMs: 0.1 }))
  const shown = html({ ...report, header: { ...report.header, agents } })
  expect(shown).toContain('blue-1, &lt;red&gt;-2')
  expect(html(report)).not.toContain('Loads sent from')
})

test('a run without a verdict is a page, too', () => {
  const empty = html({ ...report, verdicts: [], histograms: [], metrics: [], footer: undefined })
  expect(empty).toContain('Nothing was checked')
  expect(unbalanced(empty)).toEqual([])
})

/** Tags that do not close, or close what is not open. */
function unbalanced(text: string): string[] {
  const hollow = new Set(['meta', 'input', 'br', '!doctype'])
  const open: string[] = []
  const wrong: string[] = []
  for (const [tag, slash, name, self] of text.matchAll(/<(\/?)([!\w]+)[^>]*?(\/?)>/g)) {
    if (hollow.has(name!) || self) continue
    if (!slash) open.push(name!)
    else if (open.pop() !== name) wrong.push(tag)
  }
  return [...wrong, ...open]
}

test('every tag is closed, and no id is given twice', () => {
  expect(unbalanced(page.replace(inside('script'), ''))).toEqual([])
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('whatever a target says stays text', () => {
  const syntax = (text: string) => {
    const shown = html({ ...report, verdicts: [says(text)], metrics: [], histograms: [] })
    return shown.replace(/[^<>"'=]|=(?!")/g, '')
  }
  const harmless = syntax('x')
  fc.assert(
    fc.property(anyText, (text) => {
      fc.pre(text !== '')
      expect(syntax(text)).toBe(harmless)
    }),
    { seed: 8, numRuns: 100 }
  )
})

test('a card says where its clause stands and what its scenario claims', () => {
  const { clause, scenario } = report.verdicts[0]!
  const inventory = [
    {
      t: 'clause' as const,
      id: clause,
      kind: 'limit',
      documented: '16 KB',
      section: 'url',
      lines: '7'
    }
  ]
  const plan = [{ t: 'scenario' as const, id: scenario, title: 'A URL <b> may be long' }]
  const shown = unpacked(html({ ...report, inventory, plan }))
  expect(shown).toContain('<dt>Where</dt><dd>url, line 7</dd>')
  expect(shown).toContain(`A URL &lt;b&gt; may be long: ${scenario} (`)
  expect(unpacked(page)).not.toContain('<dt>Where</dt>')
})
