import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const site = mkdtempSync(join(tmpdir(), 'plimsoll-site-'))

beforeAll(() => {
  const program = join(root, 'node_modules/vitepress/bin/vitepress.js')
  const env = { ...process.env, NODE_ENV: 'production' }
  execFileSync(process.execPath, [program, 'build', 'docs', '--outDir', site], {
    ...{ cwd: root, env, stdio: 'pipe' }
  })
})

const pages = () => globSync('**/*.html', { cwd: site })

/** The file that a web server answers with for a place on the site, if there is one. */
function fileAt(place: string): string | undefined {
  const file = place.endsWith('/') ? join(place, 'index.html') : place
  return existsSync(join(site, file)) && statSync(join(site, file)).isFile() ? file : undefined
}

const idsOf = (file: string) =>
  new Set(
    [...readFileSync(join(site, file), 'utf8').matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  )

test('the site has a page for each README, and every link of it leads somewhere', () => {
  expect(pages()).toEqual(expect.arrayContaining(['index.html', 'src/load/index.html']))
  const dead = pages().flatMap((page) => {
    const html = readFileSync(join(site, page), 'utf8')
    const links = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, link]) => link!)
    return links.flatMap((link) => {
      if (/^[a-z]+:/.test(link)) return []
      const [path, anchor] = link.split('#') as [string, string | undefined]
      const at = path === '' ? page : join(path.startsWith('/') ? '/' : dirname(page), path)
      const file = fileAt(at)
      const isThere = file !== undefined && (anchor === undefined || idsOf(file).has(anchor))
      return isThere || anchor === '' ? [] : [`${page}: ${link}`]
    })
  })
  expect(dead).toEqual([])
})
