import { accountCreate, accountPaid, accountUnpaid } from './account.ts'
import { backup } from './backup.ts'
import { channelCreate } from './channel.ts'
import { compact } from './compact.ts'
import { dev } from './dev.ts'
import { distribute } from './distribute.ts'
import { integrationCreate } from './integration.ts'
import { listen } from './listen.ts'
import { mcp } from './mcp.ts'
import { migrateCommand } from './migrate.ts'
import { partition } from './partition.ts'
import { rekeyCommand } from './rekey.ts'
import { requestsClear, requestsShow, requestsTail } from './requests.ts'
import { restore } from './restore.ts'
import { retention } from './retention.ts'
import type { Command } from './run.ts'
import { serve } from './serve.ts'
import { signatureCheck } from './signature.ts'
import { tokenCommands } from './tokens.ts'
import { trace } from './trace.ts'
import { trigger } from './trigger.ts'
import { userCreate, userPassword } from './user.ts'

/** In the order of the help. */
export const commands: Command[] = [
  dev,
  serve,
  accountCreate,
  accountPaid,
  accountUnpaid,
  userCreate,
  userPassword,
  integrationCreate,
  channelCreate,
  requestsTail,
  requestsShow,
  requestsClear,
  trace,
  mcp,
  ...tokenCommands,
  signatureCheck,
  trigger,
  listen,
  migrateCommand,
  partition,
  distribute,
  backup,
  restore,
  retention,
  compact,
  rekeyCommand,
]
