import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The data of the demo account, which `npm start` writes. Ends the program if there is none. */
export function readDemo(env: NodeJS.ProcessEnv) {
  const file = env.DEMO_FILE ?? join(env.DATA_DIR ?? 'data', 'demo.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  process.stderr.write(`There is no ${file}. Start the server first: npm start\n`)
  process.exit(1)
}
