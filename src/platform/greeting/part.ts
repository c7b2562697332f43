import { Hono } from 'hono'
import { part } from '../kernel/part.ts'

/** What can be decided wrongly here. */
const greetingRules = { greetingOf: (name: string) => `Hello, ${name}` }

/** A part that says hello, through the control listener. */
export const greetingPart = part<'greeting', typeof greetingRules, object>({
  name: 'greeting',
  rules: greetingRules,
  open(_, { rules }) {
    const control = new Hono()
    control.get('/greeting/:name', (c) => c.json({ says: rules.greetingOf(c.req.param('name')) }))
    return { control }
  }
})
