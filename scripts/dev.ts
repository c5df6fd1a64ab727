import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { freePort } from '../src/commands/ports.ts'

/**
 * Runs the server and the web application from their sources on one port (`PORT`, 8080 by default). The server restarts when
 * one of its files changes; Vite replaces changed modules in open pages and passes all other requests to the server.
 * Arguments are options of Node for the server: `npm run dev -- --inspect`.
 */
const port = Number(process.env.PORT ?? 8080)
const serverPort = await freePort()

process.env.PATCHBAY_URL = `http://localhost:${serverPort}`
const vite = await createServer({ server: { port, strictPort: true } })
await vite.listen()

const watching = ['--watch', '--watch-preserve-output', ...process.argv.slice(2)]
const server = spawn(process.execPath, [...watching, 'src/main.ts', 'dev'], {
  stdio: 'inherit',
  env: { ...process.env, PORT: String(serverPort), PUBLIC_URL: `http://localhost:${port}` },
})
server.once('exit', () => vite.close())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.kill(signal))
