import { type Context, check, type Judge } from 'plimsoll'
import { type Command, series, waiting } from './_command.ts'
import {
  cameTo,
  come,
  notedBy,
  noting,
  queues,
  type Seen,
  type Startable,
  startable
} from './_events.ts'
import { probeSource } from './_probing.ts'
import { type CallableServer, graceMs, openServer, patienceMs } from './_stage.ts'
import { dayMs, judgeScheduled } from './_triggers.ts'

/** Long enough for two more requests to come meanwhile. */
const meanwhileMs = 2 * graceMs

/** Has a message sent by another function of an account, to the other queue that is consumed. */
async function sendBeside({ adapter, edge }: Context, { account }: Startable, message: Command) {
  const beside = { QUEUE: { kind: 'queue', name: queues[1]! } } as const
  const source = probeSource()
  const said = await adapter.deploy({ account, name: 'beside', source, bindings: beside })
  if (!said.accepted) throw new Error(`a function beside was refused: ${said.because}`)
  const json: Command = { do: 'queue', call: 'send', args: [message] }
  await edge.as(said.host).post('/', { json, timeoutMs: 4 * patienceMs })
}

/** Messages sent one by one and several at once, beside the queue of the same name of another. */
async function judgeQueue(context: Context & Judge, server: CallableServer) {
  const channel = server.channel('queue')
  const mine = await startable(context, { channel, name: 'mine' })
  const other = await startable(context, { channel, name: 'other' })
  const send = (name: string, ...more: Command[]): Command => {
    return { do: 'queue', call: 'send', args: [noting(channel, name, ...more)] }
  }
  const bodies = ['two', 'three'].map((name) => ({ body: noting(channel, name) }))
  // More of both accounts comes while the message before it is worked on: neither has to start.
  await other.ask({ do: 'count' })
  await mine.ask(send('one', waiting(meanwhileMs)))
  await channel.until(({ requests }) => requests > 0, patienceMs)
  const reply = await mine.ask({ do: 'queue', call: 'sendBatch', args: [bodies] })
  await other.ask(send('four'))
  await sendBeside(context, mine, noting(channel, 'five'))
  const seen = await cameTo(channel, ['one', 'two', 'three', 'four', 'five'])
  context.verify('functions.event.queue', { ...seen, saw: `five messages: ${seen.saw}` }, reply)
  if (!seen.holds) return
  const { reply: listed, ...noted } = await notedBy(mine, ['one', 'two', 'three', 'five'])
  const saw = `of them ${noted.saw} to the consumer of the account that sent four`
  context.verify('functions.event.queue', { ...noted, saw }, listed)
}

/**
 * The alarms of two objects, of which one is due while the other one's is worked on, among others:
 * one that is due much later, and one that is taken back. What comes back is to be asked an hour
 * later, when none of them may have gone off again; and then that much later one has, alone.
 */
async function judgeAlarm(context: Context & Judge, server: CallableServer) {
  const { adapter } = context
  const channel = server.channel('alarm')
  const mine = await startable(context, { channel, name: 'mine', alarmMs: graceMs / 2 })
  const on = (name: string, ...all: Command[]) => {
    return mine.ask({ do: 'state', name, of: series(...all) })
  }
  const stored = (call: string, ...args: unknown[]): Command => ({ do: 'stored', call, args })
  // The target's clock may be far ahead of ours: others have moved it.
  const late = (await adapter.clock(0)) + 2 * dayMs
  await on('later', stored('setAlarm', late))
  const reply = await on('one', { do: 'alarm', afterMs: meanwhileMs })
  await on('two', { do: 'alarm', afterMs: meanwhileMs })
  await on('never', stored('setAlarm', late), stored('deleteAlarm'))
  const judge = ({ holds, saw }: Seen, when: string) =>
    context.verify('functions.event.alarm', { holds, saw: `${when}: ${saw}` }, reply)
  const names = ['alarm mine', 'alarm mine']
  judge(await cameTo(channel, names), 'two alarms are due')
  return async () => {
    judge(come(channel, names), 'an hour later')
    await adapter.clock(late - (await adapter.clock(0)))
    judge(await cameTo(channel, [...names, 'alarm mine']), 'two days later a third is')
  }
}

export default check({
  title: 'Triggers, alarms and messages each start the function they are for, and do so once',
  clauses: ['scheduled', 'alarm', 'queue'].map((kind) => `functions.event.${kind}`),
  needs: ['edge', 'account', 'deploy', 'trigger', 'reach', 'clock'],
  alone: ['clock'],
  async run(context) {
    await using server = await openServer(context)
    const alarms = judgeAlarm(context, server)
    const [askAgain] = await Promise.all([alarms, judgeQueue(context, server)])
    await judgeScheduled(context, server)
    await askAgain()
  }
})
