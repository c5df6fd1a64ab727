import { type Connection, DESCRIPTION, send, ToolError } from './connection.ts'

interface Operation {
  operationId: string
  summary: string
  tags: string[]
}

interface Description {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

interface Listed extends Operation {
  method: string
  path: string
}

/** The operations of the API description whose id, summary, path or tag has all words of the text. */
export async function listOperations(connection: Connection, query = ''): Promise<object> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const operations = operationsOf(await describe(connection)).filter((one) => {
    const text = [one.operationId, one.summary, one.method, one.path, ...one.tags].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return {
    operations: operations.map(({ operationId, method, path, summary }) => ({
      operationId,
      method,
      path,
      summary,
    })),
  }
}

/** One operation with its example, and the components to which it refers. Throws ToolError for an unknown name. */
export async function readOperation(connection: Connection, name: string): Promise<object> {
  const description = await describe(connection)
  const operation = operationsOf(description).find(({ operationId }) => operationId === name)
  if (!operation) throw new ToolError(`There is no operation "${name}". operations_list shows all of them.`)
  const components: Record<string, unknown> = {}
  // The schemas first: if the answer is cut, the usual refusals are missing, which are the same everywhere.
  const waiting = [operation as unknown]
  for (const value of waiting)
    for (const reference of referencesIn(value)) {
      if (reference in components) continue
      const [, , kind = '', key = ''] = reference.split('/')
      components[reference] = description.components[kind]?.[key]
      waiting.push(components[reference])
    }
  return { operation, components }
}

const describe = (connection: Connection) => send(connection, { path: DESCRIPTION }) as Promise<Description>

const operationsOf = ({ paths }: Description): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      ...operation,
    })),
  )

const referencesIn = (value: unknown): string[] =>
  [...JSON.stringify(value ?? null).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, reference]) => reference as string,
  )
