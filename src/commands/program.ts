import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { packageFolder } from '../package.ts'
import { endBySignals } from './first-process.ts'

endBySignals(process)

// Compiling the program is half of a start. Node ignores a folder that it cannot write.
enableCompileCache(join(packageFolder, 'node_modules/.cache/compiled'))

const [{ commandModules }, { runCommand }, { endWithOutput }] = await Promise.all([
  import('./commands.ts'),
  import('./run.ts'),
  import('./output.ts'),
])
endWithOutput()
process.exitCode = await runCommand(commandModules, process.argv.slice(2))
