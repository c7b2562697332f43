// Pictures of report pages, as whoever changes one should look at it: wide, narrow and in the dark.
// `node screenshots.ts FOLDER PAGE…` writes NAME-wide.png, NAME-narrow.png and NAME-dark.png.
import { mkdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

/** How each page is looked at. */
export const looks = [
  { name: 'wide', width: 1_280, colorScheme: 'light' },
  { name: 'narrow', width: 390, colorScheme: 'light' },
  { name: 'dark', width: 1_280, colorScheme: 'dark' }
] as const

/**
 * Takes the three pictures of a page, with what is folded open where that is asked for; those that
 * are not whole have what is seen first.
 */
export async function pictures(
  browser: Browser,
  given: { url: string; file: string; open?: boolean; whole?: boolean }
): Promise<string[]> {
  const { url, file, open = false, whole = true } = given
  const made: string[] = []
  const page = await browser.newPage()
  await page.goto(url)
  if (open) {
    const unfold = "document.querySelectorAll('details').forEach((fold) => (fold.open = true))"
    await page.evaluate(unfold)
    await page.waitForFunction("document.querySelectorAll('[data-inside]').length === 0")
    await page.evaluate(unfold)
  }
  for (const { name, width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    const path = `${file}-${name}.png`
    await page.screenshot({ path, fullPage: whole })
    made.push(path)
  }
  await page.close()
  return made
}

if (process.argv[1] === import.meta.filename) {
  const [folder = '.', ...pages] = process.argv.slice(2)
  mkdirSync(folder, { recursive: true })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--no-proxy-server']
  })
  for (const page of pages) {
    const url = pathToFileURL(resolve(page)).href
    const name = page.includes('=') ? page.split('=')[0]! : basename(page, '.html')
    const at = page.includes('=') ? pathToFileURL(resolve(page.split('=')[1]!)).href : url
    for (const open of [false, true]) {
      const file = join(folder, open ? `${name}-open` : name)
      console.log((await pictures(browser, { url: at, file, open })).join('\n'))
    }
  }
  await browser.close()
}
