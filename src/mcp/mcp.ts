import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { version } from '../package.ts'
import { type Connection, ToolError } from './connection.ts'
import { tools } from './tools.ts'

/** Characters of an answer: about ten thousand tokens of a model. */
const LONGEST_ANSWER = 40_000

const instructions =
  'Tools to debug an integration with Patchbay, a server that speaks the API of amoCRM / Kommo. Begin with requests_search ' +
  '(refused: true, or unread: true): its rows say why a request was refused and which members nothing reads.'

/** Serves the tools on standard input and output (MCP), until the client closes the input. */
export async function serveTools(connection: Connection): Promise<void> {
  const server = new McpServer({ name: 'patchbay', version }, { instructions })
  for (const { name, title, description, input, run } of tools)
    server.registerTool(
      name,
      { title, description, inputSchema: input, annotations: { readOnlyHint: true, openWorldHint: false } },
      async (given) => resultOf(async () => run(connection, given)),
    )
  const { promise, resolve } = Promise.withResolvers<void>()
  server.server.onclose = resolve
  process.stdin.once('end', () => void server.close())
  await server.connect(new StdioServerTransport())
  await promise
}

async function resultOf(run: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    const answer = await run()
    return { content: [{ type: 'text', text: bounded(textOf(answer)) }] }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { isError: true, content: [{ type: 'text', text: bounded(error.message) }] }
  }
}

const textOf = (answer: unknown): string =>
  typeof answer === 'string' ? answer : JSON.stringify(answer ?? null, null, 1)

function bounded(text: string): string {
  if (text.length <= LONGEST_ANSWER) return text
  return `${text.slice(0, LONGEST_ANSWER)}\n\n[Cut: the answer has ${text.length} characters. Ask for less, with a limit or filters.]`
}
