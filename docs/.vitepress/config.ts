import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { defineConfig, type MarkdownRenderer } from 'vitepress'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

const root = resolve(import.meta.dirname, '../..')

/** The page that a file is: a folder's README is what the folder shows. */
const pageOf = (file: string) => file.replace(/(^|\/)README\.md$/, '$1index.md')

/** Markdown that was made, and is no page. */
const made = ['{node_modules,dist}/**', 'reports/*/**']

/**
 * Where a link of a page leads on the site; nowhere for a file that only the repository has, whose
 * address a build does not know.
 */
function leadOf(link: string, page: string): string | undefined {
  if (/^([a-z]+:|#)/.test(link)) return link
  const [path, ...anchor] = link.split(/(?=#)/) as [string, ...string[]]
  const file = join(dirname(page), path)
  if (!file.endsWith('.md') && existsSync(join(root, file))) return undefined
  return [pageOf(path), ...anchor].join('')
}

/** The words of a paragraph, each link with its place on the site, or as text. */
function linked(words: Token[], page: string): Token[] {
  let isOut = false
  return words.filter((word) => {
    if (word.type === 'link_close') return !isOut
    if (word.type !== 'link_open') return true
    const lead = leadOf(word.attrGet('href')!, page)
    isOut = lead === undefined
    if (lead !== undefined) word.attrSet('href', lead)
    return !isOut
  })
}

export default defineConfig({
  title: 'Plimsoll',
  description: 'Proves the limits a platform documents, and measures what it does under load',
  srcDir: '..',
  srcExclude: made,
  rewrites: pageOf,
  // The project's own settings name a younger JavaScript than this bundler knows.
  vite: { esbuild: { tsconfigRaw: {} } },
  markdown: {
    config(md) {
      md.core.ruler.push('links', ({ tokens, env }) => {
        for (const token of tokens) token.children = linked(token.children ?? [], env.relativePath)
      })
    }
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Is it slower?', link: '/docs/ci-regression' },
      { text: 'How much can it take?', link: '/docs/capacity' },
      { text: 'Does it leak?', link: '/docs/soak' }
    ],
    sidebar: [
      {
        text: 'Daily uses',
        items: [
          { text: 'Is this build slower?', link: '/docs/ci-regression' },
          { text: 'How much can it take?', link: '/docs/capacity' },
          { text: 'Does it leak?', link: '/docs/soak' },
          { text: 'In a pipeline', link: '/ci/' },
          { text: 'Beside Artillery', link: '/ci/beside-artillery' }
        ]
      },
      {
        text: 'Reference',
        items: [
          { text: 'Plimsoll', link: '/' },
          { text: 'Scenarios', link: '/scenarios/' },
          { text: 'Load', link: '/src/load/' },
          { text: 'Compare, capacity, soak', link: '/src/verdict/' },
          { text: 'Statistics', link: '/src/statistics/' },
          { text: 'Probe', link: '/src/limit/' },
          { text: 'From OpenAPI', link: '/src/import/' },
          { text: 'Published limits', link: '/src/publish/' },
          { text: 'From several machines', link: '/src/fleet/' },
          { text: 'Tampering', link: '/src/tampering/' }
        ]
      },
      {
        text: 'The reference platform',
        items: [
          { text: 'Its document', link: '/scenarios/document' },
          { text: 'Its parts', link: '/src/platform/' },
          { text: 'Functions', link: '/src/platform/functions/' }
        ]
      },
      {
        text: 'Project',
        items: [
          { text: 'Architecture', link: '/ARCHITECTURE' },
          { text: 'Contributing', link: '/CONTRIBUTING' },
          { text: 'Security', link: '/SECURITY' },
          { text: 'Changes', link: '/CHANGELOG' }
        ]
      }
    ]
  }
})
