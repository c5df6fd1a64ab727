import { ConfigError } from '../config.ts'
import { askServer, ServerRefusal } from '../outbound/server-client.ts'
import type { Triggered, TriggerList } from '../triggers/schemas.ts'
import { knownServer, serverOptions, unreachable } from './known-server.ts'
import { onOneLine, print } from './printable.ts'
import type { Command, Options } from './run.ts'

export const trigger: Command = {
  name: 'trigger',
  summary:
    'Carry out the real action of a type of event or a code of webhooks, on a server in development. ' +
    'What is not set is made. --list shows the types and their members.',
  operands: ['[TYPE]'],
  options: {
    list: { description: 'show everything that can be triggered' },
    lead: { value: 'ID', description: 'the lead of the action, as --set lead=ID' },
    set: { value: 'NAME=VALUE', description: 'a member of the action; can be repeated', isRepeated: true },
    integration: {
      value: 'ID',
      description: 'the integration that acts [the first one of the account]',
    },
    as: {
      value: 'PERSON',
      description: 'id or e-mail of the person whose rights it has [who installed the integration]',
    },
    ...serverOptions,
  },
  async run(options, [type]) {
    const server = knownServer(options)
    const at = (path: string) =>
      `/test_helpers/${path}${server.account ? `?account=${encodeURIComponent(server.account)}` : ''}`
    try {
      if (options.list !== undefined || type === undefined)
        return printLines(listed(await askServer(server, 'GET', at('triggers'))))
      const { integration, as: user } = options
      const body = { type, set: setOf(options), ...(integration && { integration }), ...(user && { user }) }
      printLines(shown(await askServer(server, 'POST', at('trigger'), body)))
    } catch (error) {
      if (error instanceof ServerRefusal) throw new ConfigError(withTypes(error))
      if (error instanceof TypeError) throw new ConfigError(unreachable(server, error))
      throw error
    }
  },
}

const printLines = (lines: string[]): void => print(`${lines.map(onOneLine).join('\n')}\n`)

function setOf({ set, lead }: Options): Record<string, string> {
  const pairs = (set?.split('\n') ?? []).map((pair): [string, string] => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (name === undefined || value === undefined)
      throw new ConfigError(`--set is not of the form NAME=VALUE: ${pair}`)
    return [name, value]
  })
  return { ...Object.fromEntries(pairs), ...(lead !== undefined && { lead }) }
}

function listed({ triggers }: TriggerList): string[] {
  return triggers.flatMap(({ type, summary, set }) => {
    const members = Object.entries(set).map(([name, value]) =>
      value === null || value === '' ? name : `${name}=${value}`,
    )
    return [type.padEnd(32) + summary, ' '.repeat(32) + members.join('  ')]
  })
}

function shown({ requests, made, events, deliveries }: Triggered): string[] {
  const ids = Object.entries(made).map(([name, id]) => `${name} ${id}`)
  return [
    ...requests.map(
      ({ method, path, status, request_id }) => `${status} ${method.padEnd(6)} ${path}   ${request_id}`,
    ),
    ...(ids.length > 0 ? [`made       ${ids.join(', ')}`] : []),
    ...events.map(
      ({ type, entity_type, entity_id, id }) => `event      ${type} of ${entity_type} ${entity_id}   ${id}`,
    ),
    ...deliveries.map(
      ({ kind, event, endpoint, id }) => `delivery   ${event ?? kind} to ${endpoint}   ${id}`,
    ),
  ]
}

/** The refusal, and all types if the type was unknown. */
function withTypes({ message, problem }: ServerRefusal): string {
  const { types } = problem as { types?: string[] }
  return types ? `${message}\n\n${types.join('\n')}` : message
}
