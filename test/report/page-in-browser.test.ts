import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLiveServer } from '../../src/cli/live/live-server.ts'
import { html } from '../../src/report/html.ts'
import type {
  ClauseRecord,
  EventRecord,
  Report,
  VerdictRecord,
  WindowRecord
} from '../../src/report/record.ts'
import { soakRun } from '../../src/report/soak-run.ts'
import type { CommandFound } from '../../src/verdict/command-found.ts'
import { historyOf } from '../../src/verdict/history.ts'
import { chain } from '../verdict/histories.ts'
import { bucket, capacity, comparison, sizes } from './html/found.ts'
import { sample } from './sample.ts'
import { looks, pictures } from './screenshots.ts'
import { minutes, soakOf } from './soaks.ts'

/** Where the machine has its Chromium, if it has one. */
function findChromium(): string | undefined {
  try {
    const found = execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser'])
    return found.toString().trim()
  } catch {
    return undefined
  }
}

const executablePath = findChromium()
const title = executablePath ? 'Chromium' : 'skipped, since there is no chromium on this machine'
const report = sample()
const passed = report.verdicts.find(({ outcome }) => outcome === 'pass')!
const asked = report.verdicts.find(({ clause }) => clause === 'policy.create.echo')!

/** The sample, with a document that its clauses quote. */
const inventory = [...report.verdicts, { clause: 'nobody.asked', documented: 'more' }].map(
  ({ clause: id, documented }, index): ClauseRecord => {
    const where = { section: index < 6 ? 'sizes' : 'policies', lines: `${index + 3}` }
    return { t: 'clause', id, kind: 'rule', documented, quote: `It says ${documented}.`, ...where }
  }
)
const whole: Report = { ...report, inventory, plan: [] }

/** What axe finds on a page, a line each; in the dark only its colours are others. */
const findingsIn = (colorScheme: 'light' | 'dark') =>
  `axe.run({
    resultTypes: ['violations']${colorScheme === 'dark' ? ", runOnly: ['color-contrast']" : ''}
  }).then(
    ({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`
const openAll = "document.querySelectorAll('details').forEach((fold) => (fold.open = true))"

const windows = Array.from(
  { length: 9 },
  (_, at): WindowRecord => ({
    ...{ t: 'window', scenario: 'load/list-scripts', fromMs: 250 * at, toMs: 250 * (at + 1) },
    ...{ finished: 90 + at, measured: 90, failed: at % 2, dropped: 1, inFlight: 4 },
    ...{ p50Us: 900, p99Us: 4_000 + at }
  })
)

const events = (['ramp', 'gc', 'stop'] as const).map((kind, at): EventRecord => {
  const scenario = 'load/list-scripts'
  return { t: 'event', scenario, kind, fromMs: 500 * at, toMs: 500 * at + 300, text: `${at}` }
})

const drifting = soakOf(minutes((at) => 100 + 12 * at))

/** Every kind of page there is, by the name of its file. */
function pages(): Record<string, string> {
  const { clause, documented, observed, because } = passed
  const builds = chain(16, (n) => (n === 10 ? 0.1 : 0))
  const history: CommandFound = { of: 'history', ...historyOf(builds, 'p50') }
  const conclusion = { outcome: 'observed' as const, observed, because }
  const verdicts = [comparison, bucket, sizes, capacity, history].map(
    (found, ms): VerdictRecord => ({
      ...{ t: 'verdict', scenario: `${clause}-${ms}`, clause, documented, ...conclusion, ms },
      evidence: { kind: 'command', conclusion, found }
    })
  )
  const target = { ...report.header.target, name: `http://127.0.0.1:1/${'unbroken'.repeat(30)}` }
  const header = { ...report.header, target, command: ['probe', 'http://127.0.0.1:1/'] }
  return {
    'run.html': html({ ...whole, windows, events }),
    'soak.html': html(soakRun(drifting, { exit: 1, folder: 'soak' })),
    'command.html': html({ ...report, header, verdicts, metrics: [], histograms: [] })
  }
}

describe.skipIf(executablePath === undefined)(title, () => {
  let browser: Browser
  let page: Page
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-page-'))
  const url = pathToFileURL(join(folder, 'report.html')).href
  const errors: string[] = []
  const address = (clause: string) => `${url}#${encodeURIComponent(clause)}`
  beforeAll(async () => {
    writeFileSync(join(folder, 'report.html'), html(whole))
    browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--no-proxy-server']
    })
    page = await browser.newPage()
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('console', (told) => told.type() === 'error' && errors.push(told.text()))
    page.on('request', (request) => request.url().startsWith(url) || errors.push(request.url()))
    await page.goto(url)
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each([390, 1_280, 1_920])(
    'nothing is wider than %i pixels, light or dark',
    async (width) => {
      await page.setViewportSize({ width, height: 900 })
      const seen: string[] = []
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        seen.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
      }
      expect(seen[0]).not.toBe(seen[1])
    }
  )

  test('a link to a verdict opens it, with what was packed in it', async () => {
    const card = page.locator(`[id="${asked.scenario}:${asked.clause}"]`)
    expect(await card.locator('.inside').count()).toBe(0)
    await page.goto(address(`${asked.scenario}:${asked.clause}`))
    await card.locator('dt', { hasText: 'Because' }).waitFor()
    expect(await card.evaluate((element: any) => element.open)).toBe(true)
    expect(await card.locator('code.command').first().innerText()).toMatch(/^plimsoll run /)
    expect(await card.locator('button.copy').count()).toBeGreaterThan(0)
  })

  test('a search finds what stands in closed cards, and in the document', async () => {
    const shown = page.locator('details.verdict:visible')
    const all = await shown.count()
    await page.locator('input[type=search]').fill(passed.because.slice(0, 20))
    await expect.poll(() => shown.count()).toBeLessThan(all)
    expect(await shown.count()).toBeGreaterThan(0)
    await page.locator('input[type=search]').fill('It says more')
    await expect.poll(() => page.locator('.quoted li:visible').count()).toBe(1)
    expect(await shown.count()).toBe(0)
    await page.locator('input[type=search]').fill('')
    await expect.poll(() => shown.count()).toBe(all)
  })

  test('an outcome that is not wanted is gone, in the document as well', async () => {
    await page.locator('.chapter').first().locator('summary').click()
    const failing = page.locator('[data-outcome=fail]:visible')
    expect(await failing.count()).toBeGreaterThan(1)
    await page.locator('#show-fail').uncheck({ force: true })
    expect(await failing.count()).toBe(0)
  })

  test('nothing went wrong, and nothing else was asked for', () => {
    expect(errors).toEqual([])
  })

  test('axe finds nothing on any page, light or dark, with all that is folded open', async () => {
    const live = await startLiveServer('run', () => {})
    const lines = [whole.header, ...inventory, ...whole.verdicts, ...windows]
    for (const line of lines) live.tell(line)
    const addresses = [live.url]
    for (const [name, text] of Object.entries(pages())) {
      writeFileSync(join(folder, name), text)
      addresses.push(pathToFileURL(join(folder, name)).href)
    }
    const found: Record<string, unknown> = {}
    // Where least fits, and most has to be scrolled.
    const seen = await browser.newPage({ viewport: { width: 390, height: 900 } })
    for (const address of addresses) {
      await seen.goto(address)
      await seen.evaluate(axe.source)
      await seen.evaluate(openAll)
      await expect.poll(() => seen.locator('[data-inside]').count()).toBe(0)
      await seen.locator('li, figure').first().waitFor()
      await seen.evaluate(openAll)
      const width = await seen.evaluate('document.documentElement.scrollWidth')
      found[`${address} width`] = width === 390 ? [] : [`${address} is ${width} wide`]
      for (const colorScheme of ['light', 'dark'] as const) {
        await seen.emulateMedia({ colorScheme })
        found[`${address} ${colorScheme}`] = await seen.evaluate(findingsIn(colorScheme))
      }
    }
    await seen.close()
    await live.end()
    expect(Object.values(found).flat()).toEqual([])
    expect(Object.keys(found)).toHaveLength(3 * addresses.length)
  }, 60_000)

  test('each kind of page is pictured: wide, narrow and in the dark', async () => {
    // Whoever names a folder gets to look at them, from top to bottom.
    const { PLIMSOLL_PICTURES: to = folder } = process.env
    const whole = to !== folder
    mkdirSync(to, { recursive: true })
    for (const [name, text] of Object.entries(pages())) {
      const from = join(folder, `pictured-${name}`)
      writeFileSync(from, text)
      const file = join(to, name.replace('.html', ''))
      const made = await pictures(browser, { url: pathToFileURL(from).href, file, whole })
      const pngs = made.map((path) => readFileSync(path))
      // A PNG's width and height stand in its first chunk.
      expect(pngs.map((png) => png.readUInt32BE(16))).toEqual(looks.map(({ width }) => width))
      for (const png of pngs) expect(png.readUInt32BE(20)).toBeGreaterThanOrEqual(900)
      const [wide, , dark] = pngs
      expect(wide!.equals(dark!)).toBe(false)
    }
  }, 60_000)
})
