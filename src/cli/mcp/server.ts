import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { version } from '../version.ts'
import { createCalls } from './calls.ts'
import { tools, wordsOf } from './tools.ts'

const instructions =
  'Plimsoll proves the limits that a service documents, finds those that it does not, and ' +
  'measures it under load. Only loopback may be asked, and what the person who started this has ' +
  'authorised; that is decided when it starts. Begin with list and clauses. A verdict that is ' +
  'inconclusive or blocked is not a failure of the target.'

/**
 * Serves a project's commands over stdin and stdout until that ends. What is sent goes by the
 * authorisation file that is named here, whatever is asked.
 */
export async function serveMcp(project: string, authorisation: string): Promise<void> {
  const server = new Server(
    { name: 'plimsoll', version },
    { capabilities: { tools: {} }, instructions }
  )
  const { call, end } = createCalls(project)
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema, sends }) => ({
      ...{ name, description, inputSchema },
      annotations: { readOnlyHint: !sends, openWorldHint: sends, destructiveHint: sends }
    }))
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    try {
      const tool = tools.find(({ name }) => name === params.name)
      if (tool === undefined) throw new Error(`there is no tool ${params.name}`)
      const words = wordsOf(tool, params.arguments ?? {}, project)
      const fence = tool.sends ? [`--authorisation=${authorisation}`] : []
      const { text, isError } = await call([...words, ...fence, '--json'], signal)
      return { content: [{ type: 'text', text }], isError }
    } catch (cause) {
      return { content: [{ type: 'text', text: (cause as Error).message }], isError: true }
    }
  })
  const { promise: over, resolve } = Promise.withResolvers<void>()
  process.stdin.once('end', resolve).once('close', resolve)
  // Whoever started it waits for two seconds, and then asks in this way.
  process.once('SIGTERM', resolve)
  await server.connect(new StdioServerTransport())
  await over
  await end()
  await server.close()
}
