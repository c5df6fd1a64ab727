import type { CommandModules } from './run.ts'

/**
 * The commands by the first word of their names, in the order of the help. Each is loaded when it is called, because many
 * ask a running server and take less time than the code of the server takes to load.
 */
export const commandModules: CommandModules = {
  dev: async () => [(await import('./dev.ts')).dev],
  serve: async () => [(await import('./serve.ts')).serve],
  account: async () => (await import('./account.ts')).accountCommands,
  user: async () => (await import('./user.ts')).userCommands,
  integration: async () => [(await import('./integration.ts')).integrationCreate],
  channel: async () => [(await import('./channel.ts')).channelCreate],
  requests: async () => (await import('./requests.ts')).requestCommands,
  trace: async () => [(await import('./trace.ts')).trace],
  mcp: async () => [(await import('./mcp.ts')).mcp],
  tokens: async () => (await import('./tokens.ts')).tokenCommands,
  signature: async () => [(await import('./signature.ts')).signatureCheck],
  trigger: async () => [(await import('./trigger.ts')).trigger],
  listen: async () => [(await import('./listen.ts')).listen],
  migrate: async () => [(await import('./migrate.ts')).migrateCommand],
  partition: async () => [(await import('./partition.ts')).partition],
  distribute: async () => [(await import('./distribute.ts')).distribute],
  backup: async () => [(await import('./backup.ts')).backup],
  restore: async () => [(await import('./restore.ts')).restore],
  retention: async () => [(await import('./retention.ts')).retention],
  compact: async () => [(await import('./compact.ts')).compact],
  rekey: async () => [(await import('./rekey.ts')).rekeyCommand],
}
