import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startCounter } from './agents.ts'
import { plimsoll, start } from './plimsoll.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-watched-'))
afterAll(() => rmSync(folder, { recursive: true }))

const rule = (id: string) => ({ id, kind: 'rule', documented: 'it answers' })
const scenario = (id: string, status = 200) => `import { check } from 'plimsoll'
export default check({
  title: 'It answers', clauses: ['${id}'], needs: ['service'],
  async run({ service, verify }) {
    const reply = await service.get('/')
    verify('${id}', reply.status === ${status}, reply)
  }
})
`
const put = (name: string, text: string) => writeFileSync(join(folder, name), text)

test('what was changed is asked again, and nothing else', async () => {
  mkdirSync(join(folder, 'orders'))
  put('clauses.json', JSON.stringify([rule('orders.one'), rule('orders.two')]))
  put('orders/one.ts', scenario('orders.one'))
  put('orders/two.ts', scenario('orders.two'))
  const { url } = await startCounter()
  const given = ['run', 'orders', '--scenarios', folder, '--target', url, '--watch']
  const { child, stdout, stderr, ended } = start(given)
  const until = async (is: () => boolean) => {
    while (!is()) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const runs = () => stderr().split('Watching ').length - 1
  await until(() => runs() === 1)
  expect(stdout()).toMatch(/2 clauses hold/)
  put('orders/one.ts', scenario('orders.one', 201))
  await until(() => runs() === 2)
  const second = stdout().slice(stdout().indexOf('2 clauses hold'))
  expect(second).toMatch(/✘ fail +orders\.one/)
  expect(second).not.toMatch(/orders\.two/)
  put('orders/notes.txt', 'none of theirs')
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 0 })
})

test('the names of scenarios come first', async () => {
  const { code, stderr } = await plimsoll('run', '--watch', 'edge')
  expect(stderr).toMatch(/--watch: name scenarios right after `run`, before any flag/)
  expect(code).toBe(64)
})
