import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'ci/grafana-dashboard.json'), 'utf8')

/**
 * What the compiler says of the dashboard as a value of Grafana's own types for it, and each
 * panel's options as those of that panel; '' is nothing.
 */
async function held(dashboard: { panels: { type: string; options?: object }[] }): Promise<string> {
  // Below the project, where Grafana's types are found.
  const folder = join(root, `node_modules/.cache/grafana-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  const panels = dashboard.panels.map(({ type, options = {} }, index) => {
    const types = `@grafana/schema/dist/esm/raw/composable/${type}/panelcfg/x/`
    const name = { timeseries: 'TimeSeries', bargauge: 'BarGauge' }[type] ?? capital(type)
    return `import type { Options as O${index} } from '${types}${name}PanelCfg_types.gen'
      const o${index}: Partly<O${index}> = ${JSON.stringify(options)}
      void o${index}`
  })
  const source = `import type { Dashboard } from '@grafana/schema'
    type Json<T> = T extends string ? \`\${T}\` : T extends number | boolean | null | undefined ? T
      : T extends (infer One)[] ? Json<One>[] : { [Key in keyof T]: Json<T[Key]> }
    type Partly<T> = T extends object ? { [Key in keyof T]?: Partly<Json<T[Key]>> } : T
    const dashboard: Json<Dashboard> = ${JSON.stringify(dashboard)}
    void dashboard
    ${panels.join('\n')}`
  const file = join(folder, 'dashboard.ts')
  writeFileSync(file, source)
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--types', '']
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2024']
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { promise, resolve: done } = Promise.withResolvers<string>()
  execFile(process.execPath, [tsc, ...options, ...modules, file], (_, stdout, stderr) =>
    done(`${stdout}${stderr}`)
  )
  return promise.finally(() => rmSync(folder, { recursive: true }))
}

const capital = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`

test('the dashboard is one by Grafana’s own types, and so is each panel', async () => {
  expect(await held(JSON.parse(text))).toBe('')
})

test.each([
  ['a field that there is not', /"schemaVersion"/, '"schemaVersions"', /schemaVersions/],
  ['a setting that is none', /"absolute"/, '"relative"', /relative/],
  ['an option of another panel', /"reduceOptions"/, '"reducedOptions"', /reducedOptions/],
  ['a type that is wrong', /"refresh": 2/, '"refresh": "2"', /refresh|string/]
])('that would see %s', async (_, from, to, said) => {
  expect(text).toMatch(from)
  expect(await held(JSON.parse(text.replace(from, to)))).toMatch(said)
})
