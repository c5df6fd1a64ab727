import { readConnection } from '../mcp/connection.ts'
import type { Command } from './run.ts'

export const mcp: Command = {
  name: 'mcp',
  summary:
    'Serve tools for agents on standard input and output (Model Context Protocol): requests, events, operations and ' +
    'guides of a server in development.',
  options: {
    url: { value: 'URL', description: 'address of the server [that of demo.json in DATA_DIR]' },
    key: { value: 'KEY', description: 'key of the test helpers [that of demo.json]' },
    token: { value: 'TOKEN', description: 'access token, for events [that of demo.json]' },
    account: { value: 'SUBDOMAIN', description: 'the account, if the server has several' },
  },
  async run(options) {
    const connection = readConnection(options)
    // Only this command needs the protocol.
    const { serveTools } = await import('../mcp/mcp.ts')
    await serveTools(connection)
  },
}
