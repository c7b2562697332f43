/** A scenario that asks a service twenty times, two users at once. */
export const often = `import { closed, load } from 'plimsoll'
export default load({
  title: 'It answers often',
  needs: ['service'],
  load: closed({ users: 2, iterations: 20 }),
  objectives: { errorRatio: 0 },
  request: ({ service }) => service.get('/')
})
`
