import { join } from 'node:path'
import type { Context } from '../context.ts'
import { holdFile } from '../db/sqlite/held-file.ts'

/** Whether this server is the only one with its data folder. Then it is that until it ends. */
export const isAlone = ({ config }: Context): boolean => holdFile(join(config.data_dir, 'server.lock'))
