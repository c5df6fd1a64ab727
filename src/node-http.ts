/**
 * `node:http` without undici. An import statement reads all exports of a built-in module, and the first access to its
 * `WebSocket` loads undici: 4 MiB of the memory of an idle server, for a client that nothing here uses.
 */
export const { Agent, createServer, request } = process.getBuiltinModule('node:http')
